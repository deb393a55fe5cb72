//! Checks the paths that a replay names.

/// Returns the parts of a relative path that stays inside its start folder, with `.` and `..` resolved. `None` for any
/// other path, and for a path that is not equal on every system.
pub(crate) fn parts_inside_folder(path: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" => return None,
            "." => {}
            ".." => {
                parts.pop()?;
            }
            // Refuse the drives, streams and separators of all systems. For example, `a\b` is a file in a folder on one
            // system, and only the name of a file on another.
            _ if part.contains(['\\', ':']) || part.chars().any(char::is_control) => return None,
            _ => parts.push(part),
        }
    }
    if parts.is_empty() { None } else { Some(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_their_folder() {
        assert_eq!(parts_inside_folder("a.ron"), Some(vec!["a.ron"]));
        assert_eq!(parts_inside_folder("./a/b/../c d.ron"), Some(vec!["a", "c d.ron"]));
        for path in
            ["", ".", "a/..", "..", "../a", "a/../../b", "/a", "//a", "a//b", "a/", "C:/a", "C:a", "a\\..\\b", "a\0"]
        {
            assert_eq!(parts_inside_folder(path), None, "{path:?}");
        }
    }
}
