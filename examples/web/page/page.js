// Connects the game with the browser: files, links, the clipboard, and what the browser keeps.
//
// The game waits for the file INBOX, which holds the next messages as JSON. Its own messages come as the text of the
// clipboard. examples/web/page.rs lists both kinds.
"use strict";

const INBOX = "surefoot:inbox";
// Names of kept files in the local storage begin with this.
const KEPT = "surefoot/";
// The game reads no larger file.
const MAX_FILE_BYTES = 64 << 20;
// Keys that browsers use: find, reload, the address bar, the menu, full screen, tools, and the next button.
const BROWSER_KEYS = new Set(["F1", "F3", "F5", "F6", "F7", "F10", "F11", "F12", "Tab"]);

const message = document.getElementById("message");
const files = document.getElementById("files");

// For tests: the last report of the game, if the address has ?report.
window.surefoot = { report: null, link: null, saved: [] };

let clearing;

// Shows a message for some seconds, or an error until another message comes.
function say(text) {
    message.value = text;
    clearTimeout(clearing);
    if (!text.startsWith("error")) clearing = setTimeout(() => { message.value = ""; }, 6000);
}

const waiting = [];
let asked = null;

function tell(...messages) {
    waiting.push(...messages);
    answer();
}

// Hands the waiting messages over, if the game waits for them.
function answer() {
    if (asked === null || waiting.length === 0) return;
    const id = asked;
    asked = null;
    FS.loaded_files[id] = new TextEncoder().encode(JSON.stringify(waiting.splice(0)));
    wasm_exports.file_loaded(id);
}

async function openFiles(list) {
    for (const file of list) {
        if (file.size > MAX_FILE_BYTES) {
            tell({ Error: `${file.name}: the file has ${file.size} bytes; expected at most ${MAX_FILE_BYTES}` });
        } else {
            tell({ Opened: { name: file.name, text: await file.text() } });
        }
    }
    canvas.focus();
}

function keep(name, text) {
    try {
        localStorage.setItem(KEPT + name, text);
    } catch (error) {
        say(`${name} is not kept in this browser: ${error.message}`);
    }
}

function keptFiles() {
    try {
        const names = Object.keys(localStorage).filter(key => key.startsWith(KEPT)).sort();
        return names.map(key => [key.slice(KEPT.length), localStorage.getItem(key)]);
    } catch {
        return [];
    }
}

function forget(name) {
    if (!confirm(`Forget ${name}? If the page has a file of this name, that one shows again. Otherwise this browser has the only copy, unless you have saved the download.`)) return;
    try {
        localStorage.removeItem(KEPT + name);
    } catch {
        // The browser keeps nothing.
    }
    tell({ Forgotten: name });
}

function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copyLink(fragment) {
    history.replaceState(null, "", fragment);
    window.surefoot.link = location.href;
    try {
        await navigator.clipboard.writeText(location.href);
        say(`the address is copied: ${location.href.length} characters`);
    } catch {
        // A page without https, or a browser that asks first.
        say("the browser has not copied the address: copy it from the address bar");
    }
}

const receivers = {
    Link: copyLink,
    Save: ({ name, text }) => {
        keep(name, text);
        window.surefoot.saved.push(name);
        download(name, text);
    },
    Keep: ({ name, text }) => keep(name, text),
    Forget: forget,
    // A reload must not open it again.
    Closed: () => history.replaceState(null, "", location.pathname + location.search),
    Report: report => { window.surefoot.report = report; },
};

miniquad_add_plugin({
    name: "surefoot",
    version: 1,
    register_plugin: imports => {
        const textAt = (at, length) => new TextDecoder().decode(new Uint8Array(wasm_memory.buffer, at, length));
        const loadFile = imports.env.fs_load_file;
        imports.env.fs_load_file = (at, length) => {
            if (textAt(at, length) !== INBOX) return loadFile(at, length);
            asked = FS.unique_id++;
            // Not now: the game has to know the number first.
            queueMicrotask(answer);
            return asked;
        };
        // The loader's clock has whole milliseconds, and is set back when the system's clock is.
        imports.env.now = () => performance.now() / 1000;
        imports.env.sapp_set_clipboard = (at, length) => {
            const [[kind, content]] = Object.entries(JSON.parse(textAt(at, length)));
            receivers[kind](content);
        };
    },
    // Otherwise the loader looks for a function of the game that tells the version.
    on_init: () => { message.value = ""; },
});

for (const button of document.querySelectorAll("button[data-act]")) {
    button.addEventListener("click", () => {
        tell({ Act: button.dataset.act });
        canvas.focus();
    });
}
document.getElementById("open").addEventListener("click", () => files.click());
files.addEventListener("change", () => {
    openFiles([...files.files]);
    files.value = "";
});

// These come before the listeners of the loader, which would take everything.
addEventListener("keydown", event => {
    const isOfBrowser = event.ctrlKey || event.metaKey || event.altKey || BROWSER_KEYS.has(event.code);
    if (isOfBrowser) event.stopImmediatePropagation();
}, true);
addEventListener("drop", event => {
    event.preventDefault();
    event.stopImmediatePropagation();
    openFiles([...event.dataTransfer.files]);
}, true);
addEventListener("paste", event => {
    event.stopImmediatePropagation();
    const text = event.clipboardData.getData("text");
    if (/^\s*(Map|Replay)\(/.test(text)) {
        tell({ Opened: { name: "pasted.ron", text } });
    } else if (/#\S+\.ron(=|\s*$)/.test(text)) {
        tell({ Link: text });
    } else {
        return;
    }
    event.preventDefault();
}, true);
addEventListener("hashchange", () => tell({ Link: location.hash }));
addEventListener("unhandledrejection", event => say(`error: ${event.reason}`));
addEventListener("error", event => say(`error: ${event.message}`));

tell("Begin", { Kept: keptFiles() });
if (matchMedia("(pointer: coarse)").matches) tell("Fingers");
if (location.hash.length > 1) tell({ Link: location.hash });
if (new URLSearchParams(location.search).has("report")) tell("Report");
canvas.focus();
// The loader only logs what keeps the game from starting.
if (location.protocol === "file:") {
    say("error: a browser does not load the game from a file; open the page from a web server");
} else if (!document.createElement("canvas").getContext("webgl")) {
    say("error: this browser has no WebGL, which the game needs to draw");
} else {
    fetch("surefoot_web.wasm", { method: "HEAD" }).then(
        answer => { if (!answer.ok) say(`error: surefoot_web.wasm cannot be loaded: ${answer.status}`); },
        error => say(`error: surefoot_web.wasm cannot be loaded: ${error.message}`));
    load("surefoot_web.wasm");
}
