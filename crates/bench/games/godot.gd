# The small game of rules.md with Godot 3.2: a KinematicBody2D that slides with a snap to the floor, on a TileMap. Run by
#     godot3-server --fixed-fps 60 -s games/godot.gd --level=games/level.txt --inputs=games/godot.txt

# part: program
extends SceneTree

const TICK = 1.0 / 60
# Lengths are in pixels.
const TILE = 32.0

var ticks = 0
var coins = 0
var deaths = 0
var won = false
var inputs = []

func _initialize():
	var options = {}
	for argument in OS.get_cmdline_args():
		var parts = argument.split("=")
		options[parts[0]] = parts[parts.size() - 1]
	load_level(lines_of(options["--level"]))
	for line in lines_of(options["--inputs"]):
		if not line.begins_with("#"):
			var walk = int("right" in line) - int("left" in line)
			for _tick in int(line.split(" ")[0]):
				inputs.push_back([walk, "jump" in line])

func lines_of(path):
	var file = File.new()
	file.open(path, File.READ)
	return file.get_as_text().split("\n", false)

func _iteration(_delta):
	if not won and ticks < inputs.size():
		ticks += 1
		tick(inputs[ticks - 1][0], inputs[ticks - 1][1])
		return
	var at = Vector2(hero.position.x, rows * TILE - hero.position.y) / TILE
	var facts = [str(won).to_lower(), coins, deaths, ticks * TICK, at.x, at.y]
	print("goal %s, coins %d, deaths %d, time %.2f s, at (%.2f, %.2f)" % facts)
	quit()

# part: level
const SIZE = Vector2(0.7, 0.9) * TILE
var hero = KinematicBody2D.new()
var ferry = KinematicBody2D.new()
var start
var ferry_start
var rows = 0

func load_level(level):
	# The corners of a cell, clockwise from the upper left one.
	var corners = [Vector2(0, 0), Vector2(TILE, 0), Vector2(TILE, TILE), Vector2(0, TILE)]
	var outlines = {"#": [0, 1, 2, 3], "-": [0, 1, 2, 3], "/": [1, 2, 3], "\\": [0, 2, 3]}
	var tiles = {}
	var map = TileMap.new()
	map.cell_size = Vector2(TILE, TILE)
	map.tile_set = TileSet.new()
	# A tile without a picture has no shape.
	var picture = ImageTexture.new()
	picture.create(int(TILE), int(TILE), Image.FORMAT_L8)
	for kind in outlines:
		var outline = ConvexPolygonShape2D.new()
		var points = []
		for corner in outlines[kind]:
			points.push_back(corners[corner])
		outline.points = points
		tiles[kind] = tiles.size()
		map.tile_set.create_tile(tiles[kind])
		map.tile_set.tile_set_texture(tiles[kind], picture)
		map.tile_set.tile_add_shape(tiles[kind], outline, Transform2D.IDENTITY, kind == "-")
	root.add_child(map)
	for line in level:
		for x in line.length():
			var at = Vector2(x, rows) * TILE
			match line[x]:
				"#", "/", "\\", "-":
					map.set_cell(x, rows, tiles[line[x]])
				"=":
					ferry_start = ferry_start if ferry_start else at
					add_box(ferry, at - ferry_start).one_way_collision = true
				"@":
					start = at + Vector2(0.5, 1) * TILE - Vector2(0, SIZE.y / 2)
				"o", "^", "*":
					add_thing(line[x], at)
		rows += 1
	ferry.position = ferry_start
	root.add_child(ferry)
	var capsule = CapsuleShape2D.new()
	capsule.radius = SIZE.x / 2
	capsule.height = SIZE.y - SIZE.x
	add_shape(hero, capsule, Vector2.ZERO)
	root.add_child(hero)
	place_hero()

func add_shape(body, shape, at):
	var node = CollisionShape2D.new()
	node.shape = shape
	node.position = at
	body.add_child(node)
	return node

# A box of one cell.
func add_box(body, at):
	var box = RectangleShape2D.new()
	box.extents = Vector2(TILE, TILE) / 2
	return add_shape(body, box, at + box.extents)

# part: platform
func move_ferry():
	var path = Vector2(8, -3)
	# The part of the path goes from 0 to 1 and back.
	var part = fmod(ticks * TICK * 3 / path.length(), 2)
	ferry.position = ferry_start + path * TILE * min(part, 2 - part)

# part: motion
const RUN_SPEED = 8.0
const ACCELERATION = 60.0
const BRAKING = 80.0
const AIR_ACCELERATION = 40.0
const GRAVITY = 40.0
# Speed of a jump that is 3.2 tiles high: the square root of 2 * 40 * 3.2.
const JUMP_SPEED = 16.0
# After a release: the shortest jump is 1 tile high.
const RELEASE_SPEED = 7.7
const MAX_FALL_SPEED = 24.0
# In ticks.
const COYOTE_TIME = 6
const JUMP_BUFFER = 6

# In tiles per second, y down.
var velocity
var jump_held
var ticks_off_floor
var ticks_since_press

func place_hero():
	velocity = Vector2.ZERO
	jump_held = true
	ticks_off_floor = 99
	ticks_since_press = 99
	hero.position = start

# Changes the velocity. Returns that of the motion in this tick.
func steer(walk, jump, on_floor):
	var rate = AIR_ACCELERATION if walk != 0 else 0.0
	if on_floor:
		rate = ACCELERATION if walk != 0 and walk * velocity.x >= 0 else BRAKING
	var old = velocity
	velocity.x += clamp(walk * RUN_SPEED - old.x, -rate * TICK, rate * TICK)
	ticks_off_floor = 0 if on_floor else ticks_off_floor + 1
	ticks_since_press = 0 if jump and not jump_held else ticks_since_press + 1
	jump_held = jump
	if ticks_off_floor <= COYOTE_TIME and ticks_since_press <= JUMP_BUFFER:
		ticks_off_floor = 99
		ticks_since_press = 99
		old.y = -JUMP_SPEED
	elif not jump:
		old.y = max(old.y, -RELEASE_SPEED)
	velocity.y = min(old.y + GRAVITY * TICK, MAX_FALL_SPEED)
	return (old + velocity) / 2

func move_hero(walk, jump):
	var on_floor = hero.is_on_floor()
	var motion = steer(walk, jump, on_floor)
	var snap = Vector2.ZERO
	if on_floor and motion.y > -1:
		# Along the floor: `move_and_slide` would lose speed on slopes.
		var normal = hero.get_floor_normal()
		motion = Vector2(-normal.y, normal.x) * motion.x
		snap = Vector2(0, TILE / 2)
	hero.move_and_slide_with_snap(motion * TILE, snap, Vector2.UP, true, 4, deg2rad(50))
	if hero.is_on_floor() or hero.is_on_ceiling():
		velocity.y = 0
	if hero.is_on_wall():
		velocity.x = 0

# part: rules
func add_thing(kind, at):
	var area = Area2D.new()
	add_box(area, at)
	area.connect("body_entered", self, "touch", [area, kind])
	root.add_child(area)

func touch(body, area, kind):
	if body != hero:
		return
	match kind:
		"o":
			coins += 1
			area.queue_free()
		"^":
			die()
		"*":
			won = true

func die():
	deaths += 1
	place_hero()

func tick(walk, jump):
	move_ferry()
	move_hero(walk, jump)
	if hero.position.y > rows * TILE:
		die()
