import { type CompletionModel, countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import type { Arm, OpenedArm, Projection } from '../arms/arm.ts'
import { HOSTS_OWN } from '../arms/arms.ts'
import { truncate } from '../arms/bounds.ts'
import { engineArm, enginesWith, THRESHOLD } from '../arms/engines.ts'
import { failingModel } from '../arms/peers/peer-arm.ts'
import { requestsOf } from '../arms/play-arm.ts'
import type { RecordedSession } from '../commands/options.ts'
import type { Progress } from '../progress.ts'
import { mean, spent } from '../speed/time.ts'
import { createSummaryWriter } from '../workload/summary-writer.ts'

interface HostsInput {
  readonly arms: readonly Arm[]
  readonly budget: number
  readonly sessions: readonly RecordedSession[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

export type HostsRun = ReturnType<typeof sumOf>

export type HostsRow = Awaited<ReturnType<typeof runHosts>>[number]

export async function runHosts({ arms, budget, sessions, tokens, progress }: HostsInput) {
  const rows = []
  for (const arm of arms) {
    progress(`${arm.name} within ${budget} tokens`)
    const runs: { usual: Play; failing: Play }[] = []
    const usual = () => ({ budget, tokens, model: createSummaryWriter(tokens, 1) })
    for (const { messages } of sessions) {
      runs.push({
        usual: await play(arm, messages, usual()),
        failing: await play(arm, messages, { budget, tokens, model: failingModel }),
      })
    }
    const { needed, errors } = await play(arm, oversizedTalk(budget, tokens), usual())
    rows.push({
      arm: arm.name,
      description: arm.description,
      usual: sumOf(runs.map((run) => run.usual)),
      failing: sumOf(runs.map(({ failing }) => failing)),
      /** The largest prompt after a single result of three times the budget, as a multiple of the budget. */
      oversized: { most: Math.max(...needed) / budget, errors },
    })
  }
  return rows
}

type Play = Awaited<ReturnType<typeof play>>

type PlayInput = { readonly budget: number; readonly tokens: TokenCounter; readonly model: CompletionModel }

async function play(arm: Arm, messages: readonly Message[], input: PlayInput) {
  const opened = await arm.open({ sessionId: 'hosts', ...input })
  const counts = { requests: 0, compactions: 0, errors: 0, invalid: 0, above: 0 }
  const needed: number[] = []
  const sizes: number[] = []
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
    sizes.push(size)
    needed.push(need)
    if (need > input.budget) counts.above++
    if (projection.compacted) counts.compactions++
    if (projection.warnings.includes('invalid-projection')) counts.invalid++
    await opened.answered(answer)
  }
  await opened.end()
  return { ...counts, needed, sizes, spentMs, floorMs }
}

const projectOrFail = (opened: OpenedArm, transcript: readonly Message[]) =>
  opened.project(transcript).catch(() => undefined)

function sumOf(plays: readonly Play[]) {
  const sum = (of: (play: Play) => number) => plays.reduce((total, each) => total + of(each), 0)
  return {
    requests: sum(({ requests }) => requests),
    compactions: sum(({ compactions }) => compactions),
    errors: sum(({ errors }) => errors),
    /** Prompts that a provider refuses: a call without a result, a result without a call. */
    invalid: sum(({ invalid }) => invalid),
    above: sum(({ above }) => above),
    tokens: mean(plays.flatMap(({ sizes }) => sizes)),
    /** Processor time of all prompts, as a multiple of `JSON.stringify` of the same messages. */
    time: sum(({ spentMs }) => spentMs) / sum(({ floorMs }) => floorMs),
  }
}

const TIMES = 3
const TURNS_BEHIND = 5

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

export const HOST_ARMS: readonly Arm[] = [
  truncate,
  ...enginesWith({ threshold: THRESHOLD }).map(engineArm),
  ...HOSTS_OWN,
]
