import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyValue, countMessages, freezeMessage, type Message, roughTokenCounter } from '@palimpsest/core'
import { createCachePlanner, findPricing } from '@palimpsest/prompt-caching'
import { createTokenCounter } from '@palimpsest/tokens'
import { exampleTools } from '../cost/session-layouts.ts'
import { createScratchFolder } from '../lcm/scratch-folder.ts'
import type { Progress } from '../progress.ts'
import { generateConversation } from '../workload/conversation.ts'
import { measureHostile } from './hostile-texts.ts'
import {
  measureCompress,
  measureEstimate,
  measurePeers,
  PROFILES,
  STRINGIFY,
  stringifyFloor,
} from './measure-list.ts'
import { measureRequests, SUBJECTS } from './measure-requests.ts'
import { processorTime } from './processor-time.ts'
import { cpuTime, createSamples, type RatioRow, type Repetitions, timeRow, timeRows } from './time.ts'

/** Costs of operations, each beside a floor that was measured in turn with it. Times differ from run to run. */
export type SpeedReport = Awaited<ReturnType<typeof runSpeed>>

interface SpeedInput {
  readonly seed: number
  readonly sizes: readonly number[]
  /** Share of the usual repetitions. Default 1; below 0.1 it is a trial, which shows only that everything works. */
  readonly effort?: number
  /** The file that is the command line. */
  readonly main: string
  readonly progress: Progress
}

/** Messages of the longest list that is compacted at once. */
const LONGEST_LIST = 10_000
/** trimMessages counts the rest of the list again for each message that it drops. */
const LONGEST_FOR_PEERS = 1_000
const PLANNED = { messages: 2_000, runs: 40 }
/** Messages of the longer of two recordings. */
const REPLAYED = 12_000

export async function runSpeed({ seed, sizes: given, effort = 1, main, progress }: SpeedInput) {
  const sizes = given.toSorted((a, b) => a - b)
  // First, because times are not what they would be beside a large heap.
  progress.step('plans of breakpoints')
  const rows = await measurePlanning({
    messages: Math.round(PLANNED.messages * effort),
    runs: Math.ceil(PLANNED.runs * effort),
    seed,
  })
  const lists = sizes.filter((size) => size <= LONGEST_LIST)
  // In a trial one size stands for all where none is compared with another.
  const measured = isTrial(effort) ? lists.slice(0, 1) : lists
  for (const size of measured) rows.push(...(await measureList({ seed, size, effort, progress })))
  const { messages } = generateConversation({ seed, messages: sizes.at(-1) ?? 0 })
  for (const subject of SUBJECTS) {
    const onSize = (size: number) => progress.step(`requests of ${subject.name}, ${size} messages`)
    rows.push(...(await measureRequests({ subject, messages, sizes, effort, onSize })))
  }
  progress.step('replays')
  rows.push(
    measureReplay({ main, seed, messages: Math.round(REPLAYED * effort), runs: Math.ceil(5 * effort) }),
  )
  progress.step('hostile texts')
  const hostile = measureHostile(isTrial(effort) ? { runs: 1, characters: 1_000 } : {})
  progress.end()
  return { seed, rows, hostile }
}

/** Below this share of the usual repetitions a run is a trial. */
const TRIAL = 0.1

const isTrial = (effort: number): boolean => effort < TRIAL

/** Longer conversations are measured seldom: one round of them warms the code as much as many of a short one. */
const LONG = 2000

function repetitionsFor(messages: number, effort: number): Repetitions {
  const isLong = messages > LONG
  const runs = Math.ceil((isLong ? 5 : 30) * effort)
  if (isTrial(effort)) return { runs, warmUp: 0 }
  return isLong ? { runs, warmUp: 1 } : { runs }
}

interface ListInput extends Required<Omit<SpeedInput, 'main' | 'sizes'>> {
  readonly size: number
}

async function measureList({ seed, size, effort, progress }: ListInput): Promise<RatioRow[]> {
  const { messages } = generateConversation({ seed, messages: size })
  const tokens = createTokenCounter()
  countMessages(tokens, messages)
  const input = {
    list: messages,
    tokens,
    messages: messages.length,
    against: STRINGIFY,
    floor: stringifyFloor(messages),
    now: cpuTime,
    ...repetitionsFor(size, effort),
  }
  progress.step(`estimates, ${size} messages`)
  const rows = await measureEstimate(input)
  for (const profile of PROFILES) {
    progress.step(`compactions, ${profile}, ${size} messages`)
    rows.push(...(await measureCompress(input, profile)))
  }
  if (size > LONGEST_FOR_PEERS) return rows
  progress.step(`peers, ${size} messages`)
  return [...rows, ...(await measurePeers(input))]
}

interface ReplayInput extends Pick<SpeedInput, 'main' | 'seed'> {
  readonly messages: number
  readonly runs: number
}

/** A replay of a recording against that of its first quarter, each in a process of its own. */
function measureReplay({ main, seed, messages, runs }: ReplayInput): RatioRow {
  const scratch = createScratchFolder(tmpdir())
  try {
    const [whole, quarter] = [messages, Math.ceil(messages / 4)].map((length) => {
      const path = join(scratch.path, `${length}.jsonl`)
      const recorded = generateConversation({ seed, messages: length }).messages
      writeFileSync(path, recorded.map((message) => JSON.stringify(message)).join('\n'))
      return [main, 'replay', path, '--json']
    })
    const samples = createSamples<'measured' | 'floor'>()
    for (let run = 0; run < runs; run++) {
      samples.add('measured', processorTime(scratch.path, whole ?? []))
      samples.add('floor', processorTime(scratch.path, quarter ?? []))
    }
    const row = { operation: 'palimpsest replay', messages, against: 'its first quarter', target: 5 }
    return timeRow(row, { measured: samples.timing('measured'), floor: samples.timing('floor') })
  } finally {
    scratch.remove()
  }
}

/** Limit for planning, as a share of serialising the messages. */
const TARGET = 0.01

const MODEL = 'claude-sonnet-5-5'
/** Messages that are new in each request: a call and its result. */
const NEW = 2
/** Rounds before the first that counts, for each that counts: planning runs in the process of a long session. */
const WARM_UP = 8
/** Between requests of an agent at work, in milliseconds. */
const STEP = 20_000
/** At first sight everything is hashed: a few runs tell. */
const COLD_RUNS = 8

/** A plan beside serialising the messages: with two new messages, and with all of them new. Tokens are counted before. */
async function measurePlanning({
  messages,
  runs,
  seed,
}: {
  readonly messages: number
  readonly runs: number
  readonly seed: number
}): Promise<RatioRow[]> {
  const all = generateConversation({ seed, messages }).messages.slice(0, messages)
  countMessages(roughTokenCounter, all)
  const tools = exampleTools().map(freezeMessage)
  const pricing = findPricing({ model: MODEL })
  let now = 0
  const createPlanner = () =>
    createCachePlanner({ pricing, tokens: roughTokenCounter, clock: { now: () => (now += STEP) } })

  const planner = createPlanner()
  // The last request that counts has all of the messages.
  let end = Math.max(0, messages - 2 * NEW * runs * (WARM_UP + 1))
  const grow = () => {
    end = Math.min(messages, end + NEW)
    return all.slice(0, end)
  }
  const plan = (list: readonly Message[]) => planner.plan({ messages: list, tools })
  const input = { messages, against: STRINGIFY }
  const growing = await timeRows(
    { ...input, runs, warmUp: WARM_UP, floor: () => stringifyFloor(all.slice(0, end))() },
    [
      {
        operation: 'plan breakpoints, two messages are new',
        target: TARGET,
        measured() {
          // The floor's text is as large as the prompt: what it leaves to the collector and in the processor's caches is
          // paid by a request that does not count.
          plan(grow())
          const list = grow()
          return () => plan(list)
        },
      },
    ],
  )
  const unseen = await timeRows({ ...input, runs: COLD_RUNS, warmUp: 1, floor: stringifyFloor(all) }, [
    {
      operation: 'plan breakpoints, all messages are new',
      measured() {
        const list = all.map((message) => freezeMessage(copyValue(message)))
        countMessages(roughTokenCounter, list)
        const fresh = createPlanner()
        return () => fresh.plan({ messages: list, tools })
      },
    },
  ])
  return [...growing, ...unseen]
}
