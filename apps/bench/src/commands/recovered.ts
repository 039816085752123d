import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { decisions } from '@palimpsest/decisions'
import { quoteLost } from '@palimpsest/extractive'
import lcm from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { sessionAfter } from '../arms/engines.ts'
import { KEPT_MEASURES } from '../kept/compare-projections.ts'
import {
  type Asked,
  askedAt,
  type Kept,
  type KeptReading,
  keptIn,
  oneLine,
  readForKept,
  usersWords,
} from '../kept/kept-in.ts'
import { fitting, rankedNames } from '../kept/simple-projections.ts'
import { left, madeBy, percent, right, type Section, tableOf, whole } from '../report/section.ts'
import { mean } from '../speed/time.ts'
import { defineMeasure } from './define-measure.ts'
import { DATA, openSessions, type RecordedSession } from './options.ts'

export const recovered = defineMeasure<readonly RecoveredRow[]>({
  description: "what an agent's own compaction loses, and what the hook gives back",
  options: [DATA],
  async run({ data }, { root }) {
    const { sessions } = await openSessions(data, root)
    return runRecovered(sessions, createTokenCounter())
  },
  sections: (rows, { command }) => recoveredSections(rows, command),
  page: recoveredSections,
})

const READING =
  'Shares of all cases; what counts as kept is said for `bench kept`. Tokens: the mean beyond the summary, and of one answer ' +
  'of a search. A search asks for the name, for both names, or for the first 30 characters, and is right when a snippet of ' +
  'its first page shows the case.'

function recoveredSections(rows: readonly RecoveredRow[], command: string): Section {
  const count = rows[0]?.compactions.length ?? 0
  return {
    title: "What an agent's own compaction loses",
    text: `${madeBy(command)} Compactions that recorded agents did by themselves: ${whole(count)}. ${READING}`,
    table: tableOf(rows, [
      left('what the model sees', ({ arm }) => arm),
      right('tokens', ({ compactions }) => whole(mean(compactions.map(({ tokens }) => tokens)))),
      ...(Object.keys(KEPT_MEASURES) as (keyof Kept)[]).map((key) =>
        right(KEPT_MEASURES[key].name, (row: RecoveredRow) => share(row, key)),
      ),
    ]),
  }
}

function share({ compactions }: RecoveredRow, key: keyof Kept): string {
  const cases = compactions.flatMap(({ kept }) => kept[key])
  return `${percent(mean(cases), 0)} of ${whole(cases.length)}`
}

/** Tokens that may be added to a summary: what the hook allows itself. */
const ADDED = 2_000
/** The cases of one compaction, and what an arm adds to the agent's own summary there. */
type Recovered = { readonly tokens: number; readonly kept: Kept }

type RecoveredRow = { readonly arm: string; readonly compactions: readonly Recovered[] }

interface Compacted {
  readonly messages: readonly Message[]
  readonly summary: string
  readonly tokens: TokenCounter
}

/** The simplest thing that could be added: the user's messages that the summary has not, newest first, and names. */
function quoteSimply({ messages, summary, tokens }: Compacted): string {
  const covered = oneLine(summary)
  const beginnings = new Set(usersWords(messages).filter((words) => !covered.includes(words)))
  const lost = messages
    .filter(({ role }) => role === 'user')
    .map((message) => oneLine(messageText(message)))
    .filter((text) => beginnings.has(text.slice(0, 60)))
    .map((text) => `- ${text.slice(0, 300)}`)
  const names = rankedNames(messages).filter((name) => !summary.includes(name))
  const lines = fitting(lost.toReversed(), ADDED * 0.75, tokens).toReversed()
  const used = tokens.countText(lines.join('\n'))
  return `${lines.join('\n')}\n\nNames: ${fitting(names, ADDED - used - 50, tokens).join(', ')}`
}

/** Bytes of the assistant's lines that the hook reads, and of a line around its message. */
const READ = 128 * 1024
const AROUND = 700

/** The messages that the hook reads, which are no outputs. */
function readByHook(messages: readonly Message[]): Message[] {
  let left = READ
  return messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .toReversed()
    .filter((message) => {
      if (message.role === 'user') return true
      left -= JSON.stringify(message).length + AROUND
      return left >= 0
    })
    .toReversed()
}

/** Decisions as rules read them, which hold at the compaction. */
async function listDecisions({ messages }: Compacted): Promise<string> {
  const context = await sessionAfter(decisions, messages)
  const answer = await context.callTool('decisions_list', { limit: 50 })
  await context.end()
  const { decisions: list } = JSON.parse(answer) as { decisions: { turn: number; l0: string }[] }
  return list.map(({ turn, l0 }) => `- t${turn} ${l0}`).join('\n')
}

const ARMS: Readonly<Record<string, (compacted: Compacted) => string | Promise<string>>> = {
  "the agent's own summary": () => '',
  'and what the hook adds at once': ({ messages }) =>
    quoteLost({ messages: readByHook(messages), summary: '' }),
  'and what the hook adds when it is resumed': ({ messages, summary }) =>
    quoteLost({ messages: readByHook(messages), summary }),
  'and a simple list': quoteSimply,
  'and decisions that rules read': listDecisions,
}

async function runRecovered(
  sessions: readonly RecordedSession[],
  tokens: TokenCounter,
): Promise<RecoveredRow[]> {
  const cases = sessions.flatMap(({ messages, nativeCompactions }) => {
    const reading = readForKept(messages)
    return nativeCompactions.flatMap(({ beforeEntry, summary }) =>
      summary === undefined || beforeEntry < 2 ? [] : [{ reading, summary, at: beforeEntry }],
    )
  })
  const rows: RecoveredRow[] = []
  for (const [arm, add] of Object.entries(ARMS)) {
    const compactions: Recovered[] = []
    for (const { reading, summary, at } of cases) {
      const added = await add({ messages: reading.messages.slice(0, at), summary, tokens })
      const shown: Message[] = [summary, added].map((content) => ({ role: 'user', content }))
      compactions.push({
        tokens: tokens.countText(added),
        kept: keptIn(shown, askedAt(reading, at), reading),
      })
    }
    rows.push({ arm, compactions })
  }
  const found = []
  for (const { reading, at } of cases) found.push(await findOnce(reading, at, tokens))
  return [...rows, { arm: 'found by one search', compactions: found }]
}

/** Asks `lcm_grep` once for each case, and reads the first page of snippets. */
async function findOnce(reading: KeptReading, at: number, tokens: TokenCounter): Promise<Recovered> {
  const context = await sessionAfter(lcm, reading.messages.slice(0, at))
  const asked = askedAt(reading, at)
  let spent = 0
  let searches = 0
  const ask = async (query: string, about: Partial<Asked>): Promise<Kept> => {
    const answer = await context.callTool('lcm_grep', { query, mode: 'text' })
    const { hits = [] } = JSON.parse(answer) as { hits?: readonly { readonly snippet: string }[] }
    spent += tokens.countText(answer)
    searches++
    const shown: Message[] = hits.map(({ snippet }) => ({ role: 'user', content: snippet }))
    return keptIn(shown, { names: [], pairs: [], words: [], ...about }, reading)
  }
  const kept = { names: [] as boolean[], relations: [] as boolean[], words: [] as boolean[] }
  for (const name of asked.names) kept.names.push(...(await ask(name, { names: [name] })).names)
  for (const pair of asked.pairs)
    kept.relations.push(...(await ask(pair.join(' '), { pairs: [pair] })).relations)
  for (const words of asked.words)
    kept.words.push(...(await ask(words.slice(0, 30), { words: [words] })).words)
  await context.end()
  return { tokens: spent / Math.max(1, searches), kept }
}
