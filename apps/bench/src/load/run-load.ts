import { createScratchFolder } from '../lcm/scratch-folder.ts'
import type { Progress } from '../progress.ts'
import { cpuTime } from '../speed/time.ts'
import { COLLECTING, type ProcessUse, type Service, startService } from './start-service.ts'
import { createTalk } from './talk.ts'
import { startUpstream } from './upstream.ts'

/** The time that the gateway adds, and the time that one conversation costs another. Times are those on the wall, in milliseconds. */
export type LoadReport = Awaited<ReturnType<typeof runLoad>>

interface LoadInput {
  readonly seed: number
  /** Messages of the histories whose requests are measured. */
  readonly histories: readonly number[]
  /** Messages of the conversation that must not hold up a small one. */
  readonly large: number
  /** Requests over which memory is watched. */
  readonly requests: number
  /** Requests for one figure. Default 200. */
  readonly repeats?: number
  /** Arguments for Node that start `palimpsest`. */
  readonly command: readonly string[]
  readonly folder: string
  readonly progress: Progress
}

export async function runLoad({
  seed,
  histories,
  large,
  requests,
  repeats = 200,
  command,
  folder,
  progress,
}: LoadInput) {
  const scratch = createScratchFolder(folder)
  const upstream = await startUpstream()
  const services: Service[] = []
  const start = async (node: readonly string[] = [], flags: readonly string[] = []) => {
    const service = await startService([...node, ...command], upstream.port, scratch.path, flags)
    services.push(service)
    return service
  }
  try {
    const latencies = []
    const service = await start()
    const { port } = service
    for (const length of histories) {
      progress.step(`latency, ${length} messages`)
      latencies.push(await measureLatency({ length, seed, repeats, direct: upstream.port, port }))
    }
    progress.step(`a small conversation beside one of ${large} messages`)
    const beside = await measureBeside(port, { large, seed, repeats })
    progress.step('requests a second')
    const rates = []
    for (const length of histories.filter((one) => one <= LONGEST_FOR_RATES)) {
      const way = { length, seed, requests: Math.max(CLIENTS, repeats, Math.ceil((repeats * 50) / length)) }
      const { rate: direct } = await measureRate({ ...way, port: upstream.port })
      const { rate: through, processor } = await measureRate({ ...way, port, service })
      rates.push({ length, direct, through, processor, json: measureJson(length, seed) })
    }
    progress.step(`memory over ${requests} requests`)
    const watch = async (parts: number) =>
      measureMemory(await start(COLLECTING, ['--store', `sessions-${parts}.db`]), { requests, parts, seed })
    // A collection changes what is resident later: what is alive early is read in a process of its own.
    const early = await watch(0)
    const { held, alive } = await watch(PARTS)
    const memory = { held, alive: [early.alive, alive] }
    return { seed, large, latencies, beside, rates, memory }
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    upstream.close()
    scratch.remove()
    progress.end()
  }
}

export type Spread = ReturnType<typeof spreadOf>

export type Latency = Awaited<ReturnType<typeof measureLatency>>

interface LatencyInput {
  readonly length: number
  readonly seed: number
  readonly repeats: number
  readonly direct: number
  readonly port: number
}

/** Both ways in turn, so that a machine whose speed drifts is fair to both. */
async function measureLatency({ length, seed, repeats, direct, port }: LatencyInput) {
  const talk = createTalk(`history-${length}`, length, seed)
  const plain = createTalk('direct', length, seed)
  const { whole: first } = await talk.ask(port)
  const [straight, through]: [number[], number[]] = [[], []]
  const count = Math.max(5, Math.min(repeats, Math.ceil((repeats * 1_000) / length)))
  for (let round = 0; round < count; round++) {
    straight.push((await plain.ask(direct)).firstByte)
    through.push((await talk.ask(port)).firstByte)
  }
  // `first`: the first request of the history, which the gateway has never seen.
  return { length, direct: spreadOf(straight), through: spreadOf(through), first }
}

/** Milliseconds that the small conversation waits between an answer and its next question. */
const THINKING = 5
/** Later requests of the large conversation, at most. */
const LARGE_ROUNDS = 40
/** Its messages, and those at which it begins anew. */
const SMALL = { begin: 10, end: 60 }

async function measureBeside(
  port: number,
  { large, seed, repeats }: { large: number; seed: number; repeats: number },
) {
  let talks = 0
  let small = createTalk('small-0', SMALL.begin, seed)
  const ask = async () => {
    if (small.length > SMALL.end) small = createTalk(`small-${++talks}`, SMALL.begin, seed + talks)
    const { whole } = await small.ask(port)
    await new Promise((resolve) => setTimeout(resolve, THINKING))
    return whole
  }
  const during = async (work: Promise<unknown>): Promise<Spread> => {
    let isOver = false
    const end = work.finally(() => {
      isOver = true
    })
    const times: number[] = []
    while (!isOver) times.push(await ask())
    await end
    return spreadOf(times)
  }
  const alone: number[] = []
  for (let round = 0; round < repeats * 2; round++) {
    const whole = await ask()
    if (round >= repeats) alone.push(whole)
  }
  const talk = createTalk('large', large, seed)
  const times: number[] = []
  const askLarge = async () => times.push((await talk.ask(port)).whole)
  const first = await during(askLarge())
  const later = await during(
    (async () => {
      for (let round = 0; round < Math.min(LARGE_ROUNDS, repeats); round++) await askLarge()
    })(),
  )
  const [firstTime = 0, ...laterTimes] = times
  return {
    large: { first: firstTime, later: spreadOf(laterTimes) },
    small: { alone: spreadOf(alone), first, later },
  }
}

/** Longer histories are answered one at a time. */
const LONGEST_FOR_RATES = 1_000
const CLIENTS = 8

interface RateInput {
  readonly length: number
  readonly seed: number
  readonly requests: number
  readonly port: number
  /** The gateway. Default: the direct way. */
  readonly service?: Service
}

/** Eight clients, each of which asks again as soon as it is answered, in a conversation of its own that begins anew. */
async function measureRate({ length, seed, requests, port, service }: RateInput) {
  let [done, talks] = [0, 0]
  const begin = () => createTalk(`rate-${length}-${port}-${++talks}`, length, seed + talks)
  const first = Array.from({ length: CLIENTS }, begin)
  for (const talk of first) await talk.ask(port)
  const processorTime = async () => (await service?.use())?.processor ?? 0
  const before = await processorTime()
  const start = performance.now()
  const client = async (talk: ReturnType<typeof begin>) => {
    while (done < requests) {
      done++
      await talk.ask(port)
      if (talk.length > length + SMALL.end) talk = begin()
    }
  }
  await Promise.all(first.map(client))
  const rate = (requests * 1_000) / (performance.now() - start)
  return { rate, processor: ((await processorTime()) - before) / requests }
}

/** Milliseconds of the processor for `JSON.parse` and `JSON.stringify` of a body of that length. */
function measureJson(length: number, seed: number): number {
  const body = Buffer.concat(createTalk('json', length, seed).body())
  const write = () => JSON.stringify(JSON.parse(body.toString()))
  const count = Math.ceil(20_000 / length)
  for (let round = 0; round < count; round++) write()
  const start = cpuTime()
  for (let round = 0; round < count; round++) write()
  return (cpuTime() - start) / count
}

/** Turns of a conversation before the next one begins. */
const TURNS = 20
/** Requests before memory is watched: as many conversations as are held at once have come by then, and more. */
const WARM = 2_000

/** The parts of the requests after which memory is read. */
const PARTS = 5

interface MemoryInput {
  readonly requests: number
  /** So many of the parts are asked. */
  readonly parts: number
  readonly seed: number
}

/**
 * Memory of a process that holds as many conversations as it ever does: before requests, and after each part of them, which are
 * those of many conversations, eight at a time; in the end what is alive.
 */
async function measureMemory(service: Service, { requests, parts, seed }: MemoryInput) {
  const held: (ProcessUse & { readonly requests: number })[] = []
  const warm = Math.min(WARM, requests)
  let [done, talks] = [0, 0]
  for (let part = 0; part <= parts; part++) {
    const until = warm + (requests * part) / PARTS
    const client = async () => {
      while (done < until) {
        const talk = createTalk(`memory-${++talks}`, 10, seed + talks)
        for (let turn = 0; turn < TURNS && done < until; turn++) {
          done++
          await talk.ask(service.port)
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    held.push({ requests: done - warm, ...(await service.use()) })
  }
  return { held, alive: { requests: done - warm, heap: await service.alive() } }
}

/** Quantiles of times. */
function spreadOf(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { n: sorted.length, p50: at(0.5), p95: at(0.95), most: at(1) }
}
