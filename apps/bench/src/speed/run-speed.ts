import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countMessages } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
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
import { measurePlanning } from './measure-planning.ts'
import { measureRequests, SUBJECTS } from './measure-requests.ts'
import { cpuTime, createSamples, type RatioRow, type Repetitions, timeRow } from './time.ts'

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
  progress.step('starts')
  rows.push(...measureStart({ main, runs: Math.ceil(15 * effort) }))
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

/** Writes the milliseconds of the processor that a process took, when it ends. */
const REPORT = `import { writeSync } from 'node:fs'
  process.on('exit', () => writeSync(3, String(process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000)))`

const importOf = (name: string): string[] => ['--input-type=module', '--eval', `import '@palimpsest/${name}'`]

interface StartInput {
  /** The file that is the command line. */
  readonly main: string
  readonly runs: number
}

/** Starts of commands and imports of packages, each in a process of its own, against a process that does nothing. */
function measureStart({ main, runs }: StartInput): RatioRow[] {
  const started: Readonly<Record<string, { readonly args: readonly string[]; readonly target?: number }>> = {
    'palimpsest --help': { args: [main, '--help'], target: 3 },
    'import tokens': { args: importOf('tokens'), target: 2.5 },
    'import lcm': { args: importOf('lcm') },
    'import decisions': { args: importOf('decisions') },
  }
  return Object.entries(started).map(([operation, { args, target }]) => {
    const samples = createSamples<'measured' | 'floor'>()
    // The first start of each fills caches of files, which a trial leaves out.
    for (let run = runs > 1 ? -1 : 0; run < runs; run++) {
      samples.isCounting = run >= 0
      samples.add('measured', processorTime(args))
      samples.add('floor', processorTime(['--eval', '0']))
    }
    const row = { operation: `start: ${operation}`, messages: 0, against: 'node -e 0' }
    return timeRow(target === undefined ? row : { ...row, target }, samples.pair('measured', 'floor'))
  })
}

interface ReplayInput extends StartInput, Pick<SpeedInput, 'seed'> {
  readonly messages: number
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
      samples.add('measured', processorTime(whole ?? []))
      samples.add('floor', processorTime(quarter ?? []))
    }
    const row = { operation: 'palimpsest replay', messages, against: 'its first quarter', target: 5 }
    return timeRow(row, { measured: samples.timing('measured'), floor: samples.timing('floor') })
  } finally {
    scratch.remove()
  }
}

function processorTime(args: readonly string[]): number {
  // Sources import sources.
  const conditions = process.execArgv.filter(
    (option, index, all) => option.startsWith('--conditions') || all[index - 1] === '--conditions',
  )
  const { status, output, stderr } = spawnSync(
    process.execPath,
    [...conditions, '--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, ...args],
    {
      cwd: dirname(fileURLToPath(import.meta.url)),
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  )
  if (status === 0) return Number(output[3])
  throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
}
