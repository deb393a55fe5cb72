// Plays the page in headless Chromium, and compares what it shows with what the tool says.
//
//     node drive.mjs MODULES WEB TOOL SHOTS MINUTES
//
// MODULES: folder with playwright-core. WEB: folder of the page. TOOL: the program `surefoot`. SHOTS: folder for screenshots.
// MINUTES: how long memory is watched.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";

const [modules, web, tool, shots, minutes] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, "x.js"))("playwright-core");
const maps = resolve("maps");
const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
const server = createServer(async (request, response) => {
    const path = request.url.split(/[?#]/)[0].replace(/^\/$/, "/index.html");
    try {
        const body = await readFile(web + path);
        response.writeHead(200, { "content-type": types[path.split(".").pop()] ?? "text/plain" }).end(body);
    } catch {
        response.writeHead(404).end();
    }
}).listen(0, "127.0.0.1");
await new Promise(done => server.on("listening", done));
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

const SMALL = { width: 480, height: 340 };
const seconds = count => new Promise(done => setTimeout(done, count * 1000));
const surefoot = (...options) => execFileSync(tool, options, { encoding: "utf8" }).trim();
const report = page => page.evaluate(() => window.surefoot.report);
const middle = ([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2];
// A phone has several pixels per point.
const PHONES = [[{ width: 390, height: 844 }, 3], [{ width: 844, height: 390 }, 2]];
const touching = scale => ({ hasTouch: true, isMobile: true, deviceScaleFactor: scale });
// Returns the top of the game in the page: positions in a report begin there.
const topOf = page => page.evaluate(() => document.getElementById("glcanvas").getBoundingClientRect().top);

// Returns a function that puts fingers on the game, in points, and one that taps.
async function fingersOf(page) {
    const session = await page.context().newCDPSession(page);
    const top = await topOf(page);
    const touch = (type, ...points) => session.send("Input.dispatchTouchEvent",
        { type, touchPoints: points.map(([x, y], id) => ({ x, y: y + top, id })) });
    // A frame has to see the finger before it is gone.
    const tap = async point => {
        await touch("touchStart", point);
        await seconds(0.15);
        await touch("touchEnd");
        await seconds(0.15);
    };
    return { touch, tap };
}

// Presses a button of the page.
const press = (page, act) => page.evaluate(act => document.querySelector(`button[data-act=${act}]`).click(), act);

// Clicks on the middle of an area of a report.
async function click(page, area) {
    const [x, y] = middle(area);
    await page.mouse.move(x, y + await topOf(page));
    await page.mouse.down();
    await seconds(0.15);
    await page.mouse.up();
    await seconds(0.15);
}

// Opens the page at a link and waits for its first frame.
async function open(fragment, viewport = SMALL, options = {}) {
    const context = options.context ?? await browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    page.faults = [];
    page.on("pageerror", error => page.faults.push(error.message));
    page.on("console", line => { if (line.type() === "error") page.faults.push(line.text()); });
    await page.goto(`${base}?report${fragment}`);
    await page.waitForFunction(() => window.surefoot?.report, null, { timeout: 60_000 });
    page.firstFrame = await page.evaluate(() => performance.now());
    return page;
}

// Waits until the report fulfils a condition.
async function until(page, words, condition, argument = null) {
    try {
        await page.waitForFunction(condition, argument, { timeout: 60_000 });
    } catch {
        assert.fail(`${words}: ${JSON.stringify(await report(page))} ${page.faults}`);
    }
    return report(page);
}

// Ends a check: a screenshot, and no error in the console.
async function close(page, name) {
    await page.screenshot({ path: join(shots, `${name}.png`) });
    assert.deepEqual(page.faults, [], name);
    await page.context().close();
    console.log(`${name}: as expected`);
}

// Returns how many pixels of a part of the screen have each colour, the most frequent colour first.
async function colours(page, clip) {
    const png = (await page.screenshot({ clip })).toString("base64");
    return page.evaluate(async png => {
        const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        canvas.drawImage(picture, 0, 0);
        const counts = new Map();
        for (const color of new Uint32Array(canvas.getImageData(0, 0, picture.width, picture.height).data.buffer)) {
            counts.set(color, (counts.get(color) ?? 0) + 1);
        }
        return [...counts.values()].sort((a, b) => b - a);
    }, png);
}

// A run that the tool records: three seconds with a jump.
const folder = mkdtempSync(join(tmpdir(), "surefoot-web-"));
const run = join(folder, "run.replay.ron");
writeFileSync(join(folder, "run.input"), "60 right\n20 right jump\n100 right\n");
surefoot("record", join(maps, "first_steps.ron"), "--input", join(folder, "run.input"), "-o", run, "--inline");
const checksumIn = line => line.match(/checksum ([0-9a-f]{16})/)[1];
const native = checksumIn(surefoot("replay", run));

{
    // The menu has the pictures of the maps. Each shows walls and air: two colours on at least a tenth of it each, where an
    // empty card has one. No two pictures are the same.
    const page = await open("", { width: 1280, height: 800 });
    await until(page, "the menu", () => window.surefoot.report.screen === "menu");
    console.log(`first frame of the menu ${(page.firstFrame / 1000).toFixed(2)} s after the navigation began`);
    const [width, height] = [380, 120];
    const pictures = [];
    for (const y of [200, 364, 528]) {
        const counts = await colours(page, { x: 60, y, width, height });
        assert.ok(counts[1] >= width * height / 10, `at ${y} the colours have ${counts} pixels`);
        pictures.push(`${counts}`);
    }
    assert.equal(new Set(pictures).size, pictures.length, "each map has a picture of its own");
    const card = await colours(page, { x: 600, y: 560, width: 160, height: 60 });
    assert.ok(!(card[1] >= 160 * 60 / 10), `an empty part of a card has ${card} pixels`);
    await close(page, "menu");
}
for (const [viewport, scale] of PHONES) {
    // On a phone, a swipe scrolls the menu, and a tap opens the first entry: the citadel. Its first frame looks at the hero.
    const size = `${viewport.width}x${viewport.height}`;
    const page = await open("", viewport, touching(scale));
    const { touch, tap } = await fingersOf(page);
    await page.screenshot({ path: join(shots, `menu_${size}.png`) });
    const before = await report(page);
    const [x, y] = middle(before.entries[0]);
    await touch("touchStart", [x, y]);
    for (let step = 1; step <= 6; step++) {
        await touch("touchMove", [x, y - 15 * step]);
        await seconds(0.05);
    }
    await touch("touchEnd");
    await seconds(0.3);
    const scrolled = await report(page);
    assert.equal(scrolled.screen, "menu", "a swipe opens nothing");
    // The list follows the finger, as far as it is longer than the window.
    const height = viewport.height - await topOf(page);
    const room = Math.max(0, before.entries.length * (before.entries[1][1] - before.entries[0][1]) - height + before.entries[0][1]);
    const moved = before.entries[1][1] - scrolled.entries[1][1];
    assert.ok(Math.abs(moved - Math.min(90, room)) < 2, `the list moved by ${moved} of ${room}`);
    await page.screenshot({ path: join(shots, `menu_scrolled_${size}.png`) });
    await page.evaluate(() => {
        let last = window.surefoot.report;
        window.surefoot.all = [];
        Object.defineProperty(window.surefoot, "report",
            { get: () => last, set: report => { last = report; window.surefoot.all.push(report); } });
    });
    await tap([x, scrolled.entries[0][3] - 30]);
    await until(page, "the citadel", () => window.surefoot.report.screen === "play" && window.surefoot.report.tick > 5);
    const frames = await page.evaluate(() => window.surefoot.all.filter(report => report.screen === "play"));
    assert.ok(frames[0].status);
    for (const axis of [0, 1]) {
        assert.ok(Math.abs(frames[0].view[axis] - frames.at(-1).view[axis]) < 2, `${frames[0].view}; ${frames.at(-1).view}`);
    }
    assert.ok((await colours(page)).length > 8);
    await page.screenshot({ path: join(shots, `citadel_${size}.png`) });

    // The help is inside the window, and a tap closes it.
    await press(page, "Help");
    const { help } = await until(page, "the help", () => window.surefoot.report.help);
    assert.ok(help[0] >= 0 && help[1] >= 0 && help[2] <= viewport.width + 1 && help[3] <= height + 1, `${help}`);
    await page.screenshot({ path: join(shots, `help_${size}.png`) });
    await tap(middle(help));
    await until(page, "the game without the help", () => !window.surefoot.report.help);

    // Back in the menu, the first map is built on: a tab, a tile, and a tap on the level.
    await press(page, "Back");
    await until(page, "the menu again", () => window.surefoot.report.screen === "menu");
    await page.evaluate(() => { location.hash = "#first_steps.ron"; });
    await until(page, "the map", () => window.surefoot.report.screen === "play" && window.surefoot.report.tick > 20);
    await press(page, "Build");
    let built = await until(page, "the tiles", () => window.surefoot.report.tabs.length > 0);
    for (const [left, top, right, bottom] of [...built.tabs, built.strip]) {
        assert.ok(left >= 0 && top >= 0 && right <= viewport.width + 1 && bottom <= height + 1 && bottom - top >= 40);
    }
    await tap(middle(built.tabs[1]));
    built = await report(page);
    await page.screenshot({ path: join(shots, `build_${size}.png`) });
    await tap(built.brushes[3]);
    const { brush } = await report(page);
    assert.match(brush, /slope/);
    const empty = await colours(page);
    await tap([viewport.width * 0.6, 90]);
    assert.notDeepEqual(await colours(page), empty, "a tile is placed");
    await close(page, `built_${size}`);
}
let made;
{
    // Keys play, and the run goes out as a link and as a file that the tool plays too.
    const page = await open("#first_steps.ron");
    const before = await until(page, "the map", () => window.surefoot.report.tick > 0);
    await page.keyboard.down("ArrowRight");
    await seconds(1);
    await page.keyboard.press("Space", { delay: 200 });
    await page.keyboard.up("ArrowRight");
    await page.keyboard.press("KeyP");
    const after = await until(page, "a pause", () => window.surefoot.report.paused);
    assert.ok(after.hero[0] + after.view[0] * after.view[2] > before.hero[0] + before.view[0] * before.view[2] + 20, "walks");
    const down = page.waitForEvent("download");
    await page.keyboard.press("F2");
    const saved = await (await down).path();
    await page.keyboard.press("KeyX");
    await page.waitForFunction(() => window.surefoot.link);
    made = await page.evaluate(() => window.surefoot.link);
    assert.equal(await page.evaluate(() => location.href), made);
    const line = surefoot("replay", "--maps", maps, made);
    assert.match(line, new RegExp(`^first_steps.replay.ron: ${after.tick} ticks, checksum [0-9a-f]{16}, ok$`));
    writeFileSync(join(folder, "first_steps.ron"), readFileSync(join(maps, "first_steps.ron")));
    writeFileSync(join(folder, "saved.replay.ron"), readFileSync(saved));
    assert.equal(checksumIn(surefoot("replay", join(folder, "saved.replay.ron"))), checksumIn(line));
    console.log(`a link made in the browser: ${made.length} characters, the tool says ${line}`);

    // Keys of the browser stay with it; keys of the game do not scroll the page.
    const prevented = (code, more = {}) => page.evaluate(([code, more]) => !document.getElementById("glcanvas").dispatchEvent(
        new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true, ...more })), [code, more]);
    for (const [code, more] of [["F5"], ["F6"], ["F12"], ["Tab"], ["KeyR", { ctrlKey: true }], ["ArrowLeft", { altKey: true }]]) {
        assert.equal(await prevented(code, more), false, code);
    }
    assert.equal(await prevented("ArrowLeft"), true);
    assert.equal((await report(page)).tick, after.tick, "Ctrl+R does not restart the run");

    // The browser has kept the run: it is the last entry of the menu. Its button forgets it, if the player is sure.
    const again = await open("", SMALL, { context: page.context() });
    await again.keyboard.press("ArrowUp");
    await seconds(0.2);
    await again.keyboard.press("Space");
    await until(again, "the kept run", () => window.surefoot.report.screen === "watch");
    await again.keyboard.press("Escape");
    const menu = await until(again, "the menu", () => window.surefoot.report.forget.some(button => button));
    await again.screenshot({ path: join(shots, "kept.png") });
    const kept = () => again.evaluate(() => Object.keys(localStorage).filter(name => name.endsWith(".replay.ron")).length);
    const [count, asked] = [await kept(), new Promise(done => again.once("dialog", dialog => done(dialog.accept())))];
    await click(again, menu.forget.findLast(button => button));
    await asked;
    await until(again, "one entry less", count => window.surefoot.report.entries.length < count, menu.entries.length);
    assert.equal(await kept(), count - 1);
    await again.close();
    await close(page, "keys");
}
for (const [name, link, expected] of [
    ["link_of_the_tool", surefoot("link", run), native],
    ["link_of_the_browser", made.slice(made.indexOf("#")), checksumIn(surefoot("replay", "--maps", maps, made))],
]) {
    const page = await open(link);
    const { states } = await until(page, "the end", () => window.surefoot.report.states.includes("END"));
    assert.ok(states.includes(`checksum ${expected}`), `${states}; expected ${expected}`);
    await close(page, name);
}
{
    // A run of a game with rules of its own goes out as a link, and the page plays it by these rules.
    const page = await open("#citadel.ron", { width: 1280, height: 800 });
    await until(page, "the citadel", () => window.surefoot.report.tick > 0);
    await page.keyboard.down("ArrowRight");
    await page.keyboard.press("Space", { delay: 300 });
    await page.keyboard.up("ArrowRight");
    await page.keyboard.press("KeyP");
    const played = await until(page, "a pause", () => window.surefoot.report.paused);
    await page.keyboard.press("KeyX");
    await page.waitForFunction(() => window.surefoot.link);
    const link = await page.evaluate(() => window.surefoot.link);
    assert.match(link, /#citadel\.run\.ron=/);
    // In the menu, the address names no run, so a reload does not open it.
    await page.keyboard.press("Escape");
    await until(page, "the menu", () => window.surefoot.report.screen === "menu");
    assert.equal(await page.evaluate(() => location.hash), "");
    await close(page, "citadel_link");
    const watched = await open(link.slice(link.indexOf("#")), { width: 1280, height: 800 });
    const end = await until(watched, "the end", () => window.surefoot.report.states.includes("END"));
    assert.deepEqual([end.screen, end.tick, end.checksum], ["watch", played.tick, played.checksum]);
    assert.ok(end.states.includes(`checksum ${played.checksum}`), `${end.states}`);
    await close(watched, "citadel_watched");
    console.log(`a link to ${played.tick} ticks of the citadel: ${link.length} characters`);
}
for (const [viewport, scale] of [[{ width: 1280, height: 800 }, 0], ...PHONES]) {
    // The kept run of the citadel as a link of the tool: the bar seeks to its end. The tool plays the recorded commands without
    // the rules, to the same checksum.
    const line_of_tool = surefoot("replay", "examples/citadel/best.recording");
    const [, ticks, checksum] = line_of_tool.match(/(\d+) ticks, checksum ([0-9a-f]{16})/);
    const link = surefoot("link", "examples/citadel/best.recording");
    assert.ok(link.length / (ticks / 3600) < 2000, `${link.length} characters for ${ticks} ticks`);
    const page = await open(link, viewport, scale ? touching(scale) : {});
    await until(page, "the run", () => window.surefoot.report.screen === "watch" && window.surefoot.report.tick > 20);
    const { touch, tap } = scale ? await fingersOf(page) : { tap: at => click(page, [...at, ...at]) };
    const { bar: [line, pause, playOn] } = await report(page);
    await tap(middle(pause));
    assert.ok((await report(page)).paused);
    const [y, top] = [middle(line)[1], await topOf(page)];
    await page.screenshot({ path: join(shots, `bar_${viewport.width}.png`) });
    if (scale) {
        await touch("touchStart", [line[0], y]);
        await touch("touchMove", [line[2] + 5, y]);
        await seconds(0.2);
        await touch("touchEnd");
    } else {
        await page.mouse.move(line[0], y + top);
        await page.mouse.down();
        await page.mouse.move(line[2] + 5, y + top);
        await seconds(0.2);
        await page.mouse.up();
    }
    const { states } = await until(page, "the end", ticks => window.surefoot.report.tick === ticks, Number(ticks));
    assert.ok(states.includes(`checksum ${checksum}`), `${states}; expected ${checksum}`);
    await page.screenshot({ path: join(shots, `end_${viewport.width}.png`) });
    // A tap seeks back, and the player goes on from there.
    await tap([line[0] + (line[2] - line[0]) / 10, y]);
    const back = await until(page, "the way back", ticks => window.surefoot.report.tick < ticks / 8, Number(ticks));
    if (scale) await tap(middle(playOn));
    else await page.keyboard.press("Enter");
    const on = await until(page, "the player's own run", () => window.surefoot.report.screen === "play");
    assert.ok(on.tick >= back.tick && on.bar === null);
    await close(page, `play_on_${viewport.width}`);
}
{
    // A watched replay is played on in the same way, and its link has both parts.
    const page = await open("#first_steps.replay.ron");
    await until(page, "the replay", () => window.surefoot.report.screen === "watch" && window.surefoot.report.tick > 60);
    await page.keyboard.press("Space");
    await until(page, "a pause", () => window.surefoot.report.paused);
    await page.keyboard.press("Enter");
    const { tick } = await until(page, "the player's own run", () => window.surefoot.report.screen === "play");
    await until(page, "more ticks", tick => window.surefoot.report.tick > tick + 30, tick);
    await page.keyboard.press("KeyP");
    const paused = await until(page, "a pause", () => window.surefoot.report.paused);
    await page.keyboard.press("KeyX");
    await page.waitForFunction(() => window.surefoot.link);
    const line = surefoot("replay", "--maps", maps, await page.evaluate(() => window.surefoot.link));
    assert.match(line, new RegExp(`: ${paused.tick} ticks, checksum [0-9a-f]{16}, ok$`));
    await close(page, "play_on");
}
{
    // Wrong links say what is wrong, on the screen.
    const link = surefoot("link", run);
    for (const [name, bad, words] of [
        ["damaged", link.slice(0, -20), "the link is "],
        ["not_packed", "#a.ron=____", "its text cannot be unpacked"],
        ["no_name", "#hello", "the name \"hello\""],
        ["unknown_map", "#none.ron", "there is no file of this name"],
    ]) {
        const page = await open(bad);
        const { screen, notice } = await report(page);
        assert.ok(screen === "menu" && notice?.includes(words), `${name}: ${notice}`);
        await close(page, `link_${name}`);
    }
    writeFileSync(join(folder, "old.replay.ron"), readFileSync(run, "utf8").replace("physics: 1,", "physics: 2,"));
    const page = await open(surefoot("link", join(folder, "old.replay.ron")));
    assert.equal((await report(page)).physics, 2);
    await close(page, "link_of_other_physics");
}
{
    // Files come in by a drop and by the button, and a text with a link too.
    const page = await open("");
    const drop = text => page.evaluate(text => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "dropped.ron"));
        document.getElementById("glcanvas").dispatchEvent(
            new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, text);
    await drop('Map(format: 1, tiles: ["@..", "==="])');
    await until(page, "the dropped map", () => window.surefoot.report.screen === "play");
    // A broken file of the same name does not replace it, neither now nor after a reload.
    await drop("Map(");
    await until(page, "the mistake", () => window.surefoot.report.notice?.startsWith("dropped.ron cannot be opened: line 1"));
    await page.keyboard.press("Escape");
    await until(page, "the menu", () => window.surefoot.report.screen === "menu");
    await page.keyboard.press("ArrowUp");
    await seconds(0.2);
    await page.keyboard.press("Space");
    await until(page, "the dropped map again", () => window.surefoot.report.screen === "play");
    assert.match(await page.evaluate(() => localStorage.getItem("surefoot/dropped.ron")), /^Map\(format: 1/);
    await page.setInputFiles("#files", { name: "link.txt", mimeType: "text/plain", buffer: Buffer.from(made) });
    await until(page, "the link in a file", () => window.surefoot.report.screen === "watch");
    await page.setInputFiles("#files", { name: "bad.ron", mimeType: "text/plain", buffer: Buffer.from("Map(") });
    const { notice } = await until(page, "the mistake", () => window.surefoot.report.notice);
    assert.ok(notice.startsWith("bad.ron cannot be opened: line 1, column 5:"), notice);
    // Files that the page does not take: the message says what it takes, or how to convert them.
    const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 1]);
    for (const [name, buffer, words] of [
        ["picture.png", binary, "the page takes maps (.ron)"],
        ["picture.png.ron", binary, "the page takes maps (.ron)"],
        ["cave.tmx", Buffer.from("<map/>"), "surefoot import cave.tmx -o map.ron"],
    ]) {
        await page.setInputFiles("#files", { name, mimeType: "", buffer });
        const words_of = await until(page, name, name => window.surefoot.report.notice?.startsWith(`${name} cannot`), name);
        assert.ok(words_of.notice.includes(words), words_of.notice);
    }
    await close(page, "files");
}
{
    // Two fingers walk and jump, and throw nothing.
    const page = await open("#first_steps.ron", { width: 844, height: 390 }, touching(2));
    const before = await until(page, "the map", () => window.surefoot.report.tick > 20);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) => session.send("Input.dispatchTouchEvent",
        { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const [walk, jump] = [[125, 304], [775, 304]];
    await touch("touchStart", walk);
    await seconds(0.7);
    await touch("touchStart", walk, jump);
    const after = await until(page, "a jump", floor => {
        const { hero, view } = window.surefoot.report;
        return view[1] - hero[3] / view[2] > floor + 0.3;
    }, before.view[1] - before.hero[3] / before.view[2]);
    await page.screenshot({ path: join(shots, "fingers.png") });
    await touch("touchEnd");
    const worldX = ({ hero, view }) => view[0] + hero[0] / view[2];
    assert.ok(worldX(after) > worldX(before) + 0.5, "walks");
    assert.equal(after.bodies, before.bodies, "a finger throws nothing");
    await close(page, "touch");
}
{
    // Memory is flat once ten seconds can be rewound. Each run starts again after half a minute, because a longer run needs
    // more memory when it is kept.
    const page = await open("#first_steps.ron", { width: 320, height: 240 });
    const session = await page.context().newCDPSession(page);
    const memory = async () => {
        await session.send("HeapProfiler.collectGarbage");
        const { usedSize } = await session.send("Runtime.getHeapUsage");
        return { wasm: await page.evaluate(() => wasm_memory.buffer.byteLength), js: usedSize };
    };
    await until(page, "the time to rewind", () => window.surefoot.report.tick > 660);
    const before = await memory();
    const end = Date.now() + minutes * 60_000;
    for (let round = 0; Date.now() < end; round++) {
        await page.keyboard.press(round % 2 ? "ArrowLeft" : "ArrowRight", { delay: 400 });
        await page.keyboard.press("Space", { delay: 100 });
        if (round % 50 === 49) await page.keyboard.press("KeyR");
    }
    const after = await memory();
    console.log(`memory at the beginning and after ${minutes} min: ${JSON.stringify([before, after])}`);
    assert.ok(after.wasm - before.wasm <= 1 << 20 && after.js - before.js <= 1 << 20);
    await close(page, "memory");
}
const wasm = readFileSync(join(web, "surefoot_web.wasm"));
console.log(`surefoot_web.wasm: ${wasm.length} bytes`);
if (process.env.SIZES) {
    const all = ["surefoot_web.wasm", "gl.js", "page.js", "index.html"];
    const sizes = all.map(name => brotliCompressSync(readFileSync(join(web, name))).length);
    console.log(`compressed with brotli: ${all.map((name, i) => `${name} ${sizes[i]}`).join(", ")} bytes`);
    assert.ok(sizes.reduce((sum, size) => sum + size) <= 1_200_000);
}
await browser.close();
server.close();
