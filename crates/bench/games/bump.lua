-- The small game of rules.md with bump.lua 3.1.7. bump has no slopes: `/` and `\` are blocks here.
--
--     LUA_PATH='FOLDER_OF_BUMP/?.lua' lua5.4 games/bump.lua games/level.txt games/bump.txt

-- part: program
local bump = require 'bump'
local TICK = 1 / 60

-- part: level
-- y points down here.
local WIDTH, HEIGHT = 0.7, 0.9
local world = bump.newWorld(4)
local hero, ferry = {}, {kind = '='}
local rows = 0
for line in io.lines(arg[1]) do
    for column = 1, #line do
        local kind, x = line:sub(column, column), column - 1
        if kind == '@' then
            hero.start_x, hero.start_y = x + 0.5 - WIDTH / 2, rows + 1 - HEIGHT
        elseif kind == '=' then
            ferry.x, ferry.y, ferry.width = ferry.x or x, rows, (ferry.width or 0) + 1
        elseif kind == '/' or kind == '\\' then
            world:add({kind = '#'}, x, rows, 1, 1)
        elseif kind ~= '.' then
            world:add({kind = kind}, x, rows, 1, 1)
        end
    end
    rows = rows + 1
end
world:add(ferry, ferry.x, ferry.y, ferry.width, 1)
world:add(hero, hero.start_x, hero.start_y, WIDTH, HEIGHT)

local function filter(_, other)
    if other.kind == '#' then
        return 'slide'
    elseif other.kind == '-' or other.kind == '=' then
        local _, feet = world:getRect(hero)
        local _, top = world:getRect(other)
        return feet + HEIGHT <= top + 0.01 and 'slide'
    end
    return 'cross'
end

-- part: platform
local function move_ferry(ticks)
    local path_x, path_y = 8, -3
    -- The part of the path goes from 0 to 1 and back.
    local part = ticks * TICK * 3 / math.sqrt(path_x ^ 2 + path_y ^ 2) % 2
    part = math.min(part, 2 - part)
    local x, y = world:getRect(ferry)
    local new_x, new_y = ferry.x + path_x * part, ferry.y + path_y * part
    if hero.ground == ferry then
        local hero_x, hero_y = world:getRect(hero)
        local function walls(item, other)
            return other ~= ferry and filter(item, other)
        end
        world:move(hero, hero_x + new_x - x, hero_y + new_y - y, walls)
    end
    world:update(ferry, new_x, new_y)
end

-- part: motion
local RUN_SPEED = 8
local ACCELERATION = 60
local BRAKING = 80
local AIR_ACCELERATION = 40
local GRAVITY = 40
-- Speed of a jump that is 3.2 tiles high: the square root of 2 * 40 * 3.2.
local JUMP_SPEED = 16
-- After a release: the shortest jump is 1 tile high.
local RELEASE_SPEED = 7.7
local MAX_FALL_SPEED = 24
-- In ticks.
local COYOTE_TIME = 6
local JUMP_BUFFER = 6

local function place_hero()
    hero.vx, hero.vy, hero.ground, hero.jump_held = 0, 0, nil, true
    hero.ticks_off_floor, hero.ticks_since_press = 99, 99
    world:update(hero, hero.start_x, hero.start_y)
end

-- Changes the velocity. Returns the displacement of the tick.
local function steer(walk, jump)
    local rate = walk ~= 0 and AIR_ACCELERATION or 0
    if hero.ground then
        rate = walk ~= 0 and walk * hero.vx >= 0 and ACCELERATION or BRAKING
    end
    local old_x, old_y = hero.vx, hero.vy
    hero.vx = old_x + math.max(-rate * TICK, math.min(walk * RUN_SPEED - old_x, rate * TICK))
    hero.ticks_off_floor = hero.ground and 0 or hero.ticks_off_floor + 1
    hero.ticks_since_press = jump and not hero.jump_held and 0 or hero.ticks_since_press + 1
    hero.jump_held = jump
    if hero.ticks_off_floor <= COYOTE_TIME and hero.ticks_since_press <= JUMP_BUFFER then
        hero.ticks_off_floor, hero.ticks_since_press = 99, 99
        old_y = -JUMP_SPEED
    elseif not jump then
        old_y = math.max(old_y, -RELEASE_SPEED)
    end
    hero.vy = math.min(old_y + GRAVITY * TICK, MAX_FALL_SPEED)
    return (old_x + hero.vx) * TICK / 2, (old_y + hero.vy) * TICK / 2
end

-- Returns what the hero touches.
local function move_hero(walk, jump)
    local x, y = world:getRect(hero)
    local dx, dy = steer(walk, jump)
    local _, _, hits = world:move(hero, x + dx, y + dy, filter)
    hero.ground = nil
    for _, hit in ipairs(hits) do
        if hit.type == 'slide' then
            if hit.normal.y < 0 then hero.ground = hit.other end
            if hit.normal.y ~= 0 then hero.vy = 0 else hero.vx = 0 end
        end
    end
    return hits
end

-- part: rules
local ticks, coins, deaths, won = 0, 0, 0, false

local function tick(walk, jump)
    ticks = ticks + 1
    move_ferry(ticks)
    local hits = move_hero(walk, jump)
    local _, y = world:getRect(hero)
    local dies = y > rows
    for _, hit in ipairs(hits) do
        local kind = hit.other.kind
        if kind == 'o' then
            coins = coins + 1
            world:remove(hit.other)
        end
        dies = dies or kind == '^'
        won = won or kind == '*'
    end
    if dies then
        deaths = deaths + 1
        place_hero()
    end
end

-- part: program
place_hero()
for line in io.lines(arg[2]) do
    local count = tonumber(line:match '^%d+')
    local walk = (line:find 'right' and 1 or 0) - (line:find 'left' and 1 or 0)
    for _ = 1, line:find '^#' and 0 or count do
        if not won then tick(walk, line:find 'jump' ~= nil) end
    end
end
local x, y = world:getRect(hero)
local facts = 'goal %s, coins %d, deaths %d, time %.2f s, at (%.2f, %.2f)'
print(facts:format(won, coins, deaths, ticks * TICK, x + WIDTH / 2, rows - y - HEIGHT / 2))
