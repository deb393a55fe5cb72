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
for (const viewport of [{ width: 390, height: 844 }, { width: 844, height: 390 }]) {
    const page = await open("", viewport);
    await page.keyboard.press("Space");
    await until(page, "the first entry", () => window.surefoot.report.screen === "play" && window.surefoot.report.status);
    assert.ok((await colours(page)).length > 8);
    await close(page, `citadel_${viewport.width}x${viewport.height}`);
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

    // The browser has kept the run: it is the last entry of the menu.
    const again = await open("", SMALL, { context: page.context() });
    await again.keyboard.press("ArrowUp");
    await seconds(0.2);
    await again.keyboard.press("Space");
    await until(again, "the kept run", () => window.surefoot.report.screen === "watch");
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
    await page.evaluate(text => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "dropped.ron"));
        document.getElementById("glcanvas").dispatchEvent(
            new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, 'Map(format: 1, tiles: ["@..", "==="])');
    await until(page, "the dropped map", () => window.surefoot.report.screen === "play");
    await page.setInputFiles("#files", { name: "link.txt", mimeType: "text/plain", buffer: Buffer.from(made) });
    await until(page, "the link in a file", () => window.surefoot.report.screen === "watch");
    await page.setInputFiles("#files", { name: "bad.ron", mimeType: "text/plain", buffer: Buffer.from("Map(") });
    const { notice } = await until(page, "the mistake", () => window.surefoot.report.notice);
    assert.ok(notice.startsWith("bad.ron cannot be opened: line 1, column 5:"), notice);
    await close(page, "files");
}
{
    // Two fingers walk and jump, and throw nothing. A phone has several pixels per point.
    const phone = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
    const page = await open("#first_steps.ron", { width: 844, height: 390 }, phone);
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
