import {
  type CompletionModel,
  countMessages,
  type Message,
  ModelError,
  type TokenCounter,
} from '@palimpsest/core'
import { type Arm, type OpenedArm, type Projection, projectionArm } from '../arms/arm.ts'
import { HOSTS_OWN } from '../arms/arms.ts'
import { truncate } from '../arms/bounds.ts'
import { engineArm, enginesWith, THRESHOLD } from '../arms/engines.ts'
import { requestsOf } from '../arms/play-arm.ts'
import type { RecordedSession } from '../commands/options.ts'
import { askedAt, type Kept, type KeptReading, keptIn, readForKept } from '../kept/kept-in.ts'
import { projectSimply, SIMPLE_PROJECTIONS } from '../kept/simple-projections.ts'
import type { Progress } from '../progress.ts'
import { cpuTime, mean } from '../speed/time.ts'

/** Points of a session at which prompts are looked at, at most. They are the same for all arms. */
const POINTS = 40

interface HostsInput {
  readonly arms: readonly Arm[]
  readonly budget: number
  readonly sessions: readonly RecordedSession[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

/** The course of all sessions with an arm. */
export type HostsRun = ReturnType<typeof sumOf>

export type HostsRow = Awaited<ReturnType<typeof runHosts>>[number]

/** A model that is down. */
const failingModel: CompletionModel = {
  name: 'fails',
  complete: () => Promise.reject(new ModelError('network', 'the model is not available')),
}

/** Drives each host's own compaction, and our engines, through the same sessions with the same summariser. */
export async function runHosts({ arms, budget, sessions, tokens, progress }: HostsInput) {
  const talks = sessions.map(({ messages }) => readTalk(messages, budget, tokens))
  const rows = []
  for (const arm of arms) {
    progress.step(`${arm.name} within ${budget} tokens`)
    const runs: { usual: Play; failing: Play }[] = []
    for (const talk of talks) {
      runs.push({
        usual: await play(arm, talk, { budget, tokens }),
        failing: await play(arm, talk, { budget, tokens, model: failingModel }),
      })
      progress.done(runs.length, talks.length)
    }
    const large = readTalk(oversizedTalk(budget, tokens), budget, tokens)
    const { needed, errors } = await play(arm, large, { budget, tokens })
    rows.push({
      arm: arm.name,
      description: arm.description,
      /** With the offline summariser, and with one that always fails. */
      usual: sumOf(runs.map(({ usual }) => usual)),
      failing: sumOf(runs.map(({ failing }) => failing)),
      /** A single result of three times the budget: the largest prompt behind it, as a multiple of the budget. */
      oversized: { most: Math.max(...needed) / budget, errors },
    })
  }
  progress.end()
  return rows
}

interface Talk {
  readonly messages: readonly Message[]
  readonly reading: KeptReading
  /** Lengths of the transcript at the requests that are looked at. */
  readonly points: ReadonlySet<number>
}

/** Points are spread over the requests whose transcript is above the budget. */
function readTalk(messages: readonly Message[], budget: number, tokens: TokenCounter): Talk {
  let sum = 0
  const sums = messages.map((message) => (sum += tokens.countMessage(message)))
  const lengths = requestsOf(messages)
    .map(({ length }) => length)
    .filter((length) => (sums[length - 1] ?? 0) > budget)
  const step = Math.ceil(lengths.length / POINTS)
  return {
    messages,
    reading: readForKept(messages),
    points: new Set(lengths.filter((_, index) => index % step === 0)),
  }
}

type Play = Awaited<ReturnType<typeof play>>

type PlayInput = { readonly budget: number; readonly tokens: TokenCounter; readonly model?: CompletionModel }

async function play(arm: Arm, { messages, reading, points }: Talk, input: PlayInput) {
  const opened = await arm.open({ sessionId: 'hosts', ...input })
  const counts = { requests: 0, compactions: 0, errors: 0, invalid: 0, above: 0 }
  const needed: number[] = []
  const shown: { readonly tokens: number; readonly kept: Kept }[] = []
  let spentMs = 0
  let floorMs = 0
  for (const { length, answer } of requestsOf(messages)) {
    const transcript = messages.slice(0, length)
    counts.requests++
    floorMs += await spent(() => JSON.stringify(transcript))
    let projection: Projection | undefined
    spentMs += await spent(async () => {
      projection = await projectOrFail(opened, transcript)
    })
    if (projection === undefined) {
      counts.errors++
      continue
    }
    const size = countMessages(input.tokens, projection.messages)
    const need = projection.needed ?? size
    needed.push(need)
    if (need > input.budget) counts.above++
    if (projection.compacted) counts.compactions++
    if (projection.warnings.includes('invalid-projection')) counts.invalid++
    if (points.has(length))
      shown.push({ tokens: size, kept: keptIn(projection.messages, askedAt(reading, length), reading) })
    await opened.answered(answer)
  }
  await opened.end()
  return { ...counts, needed, shown, spentMs, floorMs }
}

/** An error of the arm ends a host's turn. */
const projectOrFail = (opened: OpenedArm, transcript: readonly Message[]) =>
  opened.project(transcript).catch(() => undefined)

/** Milliseconds of the processor. */
async function spent(run: () => unknown): Promise<number> {
  const start = cpuTime()
  await run()
  return cpuTime() - start
}

function sumOf(plays: readonly Play[]) {
  const sum = (of: (play: Play) => number) => plays.reduce((total, each) => total + of(each), 0)
  const shown = plays.flatMap((each) => each.shown)
  const share = (key: keyof Kept) => mean(shown.flatMap(({ kept }) => kept[key]))
  return {
    requests: sum(({ requests }) => requests),
    compactions: sum(({ compactions }) => compactions),
    /** Requests that ended in an error of the arm. */
    errors: sum(({ errors }) => errors),
    /** Prompts that a provider refuses: a call without a result, a result without a call. */
    invalid: sum(({ invalid }) => invalid),
    /** Prompts that were above the budget before what did not fit was cut from them. */
    above: sum(({ above }) => above),
    /** Means at the points: tokens of the prompt, and what of it is needed later. */
    tokens: mean(shown.map(({ tokens }) => tokens)),
    kept: { names: share('names'), relations: share('relations'), words: share('words') },
    /** Processor time of all prompts, as a multiple of that of `JSON.stringify` of the same messages. */
    time: sum(({ spentMs }) => spentMs) / sum(({ floorMs }) => floorMs),
  }
}

/** The size of the result, as a multiple of the budget. */
const TIMES = 3
const TURNS_BEHIND = 5

/** A conversation in which a tool returns a single result of three times the budget, and five turns behind it. */
export function oversizedTalk(budget: number, tokens: TokenCounter): Message[] {
  const lines: string[] = []
  for (let sum = 0; sum < TIMES * budget; ) {
    const line = `line ${lines.length}: src/module-${lines.length % 97}.ts exports handler${lines.length}`
    sum += tokens.countText(line)
    lines.push(line)
  }
  const call = { id: 'large', type: 'function', function: { name: 'read_log', arguments: '{}' } } as const
  const talk: Message[] = [
    { role: 'system', content: 'You are a coding agent.' },
    { role: 'user', content: 'Read the log of the build.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: lines.join('\n') },
    { role: 'assistant', content: 'The build exports many handlers.' },
  ]
  for (let turn = 1; turn <= TURNS_BEHIND; turn++)
    talk.push(
      { role: 'user', content: `Which module is number ${turn}?` },
      { role: 'assistant', content: `Module ${turn} is src/module-${turn}.ts.` },
    )
  return talk
}

const [thirtyLines] = SIMPLE_PROJECTIONS as [(typeof SIMPLE_PROJECTIONS)[number]]

const simple = projectionArm(
  { name: thirtyLines.name, description: thirtyLines.description, kind: 'bound' },
  (transcript, { budget, tokens }) =>
    countMessages(tokens, transcript) <= budget
      ? transcript
      : projectSimply(thirtyLines, transcript, budget, tokens),
)

/** Compactions of hosts beside our engines, and beside thirty lines of code. */
export const HOST_ARMS: readonly Arm[] = [
  truncate,
  simple,
  ...enginesWith({ threshold: THRESHOLD }).map(engineArm),
  ...HOSTS_OWN,
]
