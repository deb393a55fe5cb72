//! Turns the programs in the documentation into tests: compares each program with the output listed below it.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut pages = vec![docs.join("porting.md"), docs.join("faq.md")];
    pages.extend(std::fs::read_dir(docs.join("guide")).unwrap().map(|entry| entry.unwrap().path()));
    // Pictures have folders of their own.
    pages.retain(|path| path.extension().is_some_and(|end| end == "md") && path.exists());
    pages.sort();
    let mut tests = String::new();
    for path in pages {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().unwrap().to_str().unwrap().replace('-', "_");
        let page = std::fs::read_to_string(&path).unwrap();
        for (index, sample) in page.split("```rust\n").skip(1).enumerate() {
            // Programs without a listed output, and functions, are only compiled as doc tests.
            let Some((program, output)) = sample.split_once("\n```\n\n```text\n") else { continue };
            if program.contains("\n```") || !program.contains("fn main()") {
                continue;
            }
            let output = output.split("```").next().unwrap();
            let program = program.replace("fn main()", "pub fn main()");
            let end = if program.contains("main() -> Result") { ".unwrap()" } else { "" };
            write!(
                tests,
                "#[allow(clippy::all, clippy::pedantic, unreachable_pub)]\nmod {name}_{index} {{\n{program}\n}}\n\n\
                 #[test]\nfn {name}_{index}_prints_what_its_page_says() {{\n    \
                 let _ = take_output();\n    {name}_{index}::main(){end};\n    \
                 assert_eq!(take_output(), {output:?});\n}}\n\n"
            )
            .unwrap();
        }
    }
    println!("cargo::rerun-if-changed={}", docs.join("guide").display());
    std::fs::write(Path::new(&std::env::var_os("OUT_DIR").unwrap()).join("page_programs.rs"), tests).unwrap();
}
