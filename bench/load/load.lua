-- Requests for wrk, made before the clock starts: one prepared request per line of the targets file, taken at random.
--   wrk ... -s load.lua URL -- METHOD TARGETS [BODIES]
-- With a bodies file each prepared request is the first target with one body.

local seeds = 0

function setup(thread)
  seeds = seeds + 1
  thread:set('seed', os.time() * 16 + seeds)
end

local function lines(path)
  local found = {}
  for line in io.lines(path) do found[#found + 1] = line end
  return found
end

local requests = {}

function init(args)
  math.randomseed(seed)
  local method, targets = args[1], lines(args[2])
  if args[3] then
    local headers = { ['Content-Type'] = 'application/json' }
    for i, body in ipairs(lines(args[3])) do requests[i] = wrk.format(method, targets[1], headers, body) end
  else
    for i, target in ipairs(targets) do requests[i] = wrk.format(method, target) end
  end
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"durationUs":%d,"bytes":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d,"p50Us":%d,"p99Us":%d,"maxUs":%d}\n',
    summary.requests, summary.duration, summary.bytes, errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
