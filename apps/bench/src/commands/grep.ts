import type { ContextSession, Message } from '@palimpsest/core'
import lcm, { parseRef } from '@palimpsest/lcm'
import pairs from '../../data/synonyms.json' with { type: 'json' }
import { sessionAfter } from '../arms/engines.ts'
import type { Progress } from '../progress.ts'
import { indexOfName, textOf } from '../recall/whole-word.ts'
import { decimal, left, right, type Section, tableOf, whole } from '../report/section.ts'
import { mean } from '../speed/time.ts'
import { createRandom, shuffle } from '../workload/vocabulary.ts'
import { defineMeasure } from './define-measure.ts'
import { DATA, openSessions, option, parseNumber, type RecordedSession } from './options.ts'

const CASES = 150

export const grep = defineMeasure<readonly GrepRow[]>({
  description: 'whether lcm_grep finds a fact by words from near it, and with one of them replaced',
  options: [DATA, option('--seed <number>', 'which facts are asked for', parseNumber, 1)],
  async run({ data, seed }, { root, progress }) {
    const { sessions } = await openSessions(data, root)
    return runGrep({ sessions, cases: CASES, seed, progress })
  },
  sections: grepSections,
})

function grepSections(rows: readonly GrepRow[]): Section {
  return {
    title: 'Facts by the words near them',
    text: 'Identifiers of recorded sessions, asked for with `lcm_grep` by words from within 160 characters of them. Found: a hit is the message itself, or shows the identifier.',
    table: tableOf(rows, [
      left('asked by', ({ question }) => question),
      left('order', ({ order }) => order),
      right('within', ({ within }) => `${within} hits`),
      right('found', ({ found }) => decimal(found, 3)),
      right('facts', ({ facts }) => whole(facts)),
    ]),
  }
}

const QUESTIONS = [
  { name: '2 to 4 words from near it', query: ({ words }: GrepCase) => words, within: 5 },
  { name: 'one of them replaced by a synonym', query: ({ replaced }: GrepCase) => replaced, within: 10 },
] as const

const ORDERS = [undefined, 'newest'] as const

type GrepRow = Awaited<ReturnType<typeof runGrep>>[number]

interface GrepInput {
  readonly sessions: readonly RecordedSession[]
  readonly cases: number
  readonly seed: number
  readonly progress: Progress
}

export async function runGrep({ sessions, cases, seed, progress }: GrepInput) {
  const asked = QUESTIONS.flatMap((question) => ORDERS.map((order) => ({ question, order })))
  const found: boolean[][] = asked.map(() => [])
  progress('grep: facts by the words near them')
  for (const [index, session] of sessions.entries()) {
    const context = await sessionAfter(lcm, session.messages)
    const facts = grepCases(session.messages, cases, seed + index)
    for (const [place, { question, order }] of asked.entries()) {
      for (const fact of facts) {
        const query = question.query(fact)
        if (query === null) continue
        found[place]?.push(await isFound(context, fact, { query, order, limit: question.within }))
      }
    }
    await context.end()
  }
  return asked.map(({ question: { name, within }, order = 'default' }, place) => ({
    question: name,
    order,
    within,
    found: mean(found[place] ?? []),
    facts: found[place]?.length ?? 0,
  }))
}

async function isFound(
  context: ContextSession,
  { message, identifier }: GrepCase,
  { order, ...args }: { query: string; order: string | undefined; limit: number },
): Promise<boolean> {
  const answer = JSON.parse(await context.callTool('lcm_grep', { ...args, ...(order && { order }) })) as {
    error?: string
    hits?: { ref: string; text: string }[]
  }
  if (answer.hits === undefined) throw new Error(answer.error)
  return answer.hits.some(
    ({ ref, text }) => parseRef(ref).number === message || indexOfName(text, identifier) >= 0,
  )
}

export const SYNONYMS = pairs.map((pair) => pair.split(' '))

interface GrepCase {
  readonly message: number
  readonly identifier: string
  /** Two to four words near the identifier, which occur together in at most five messages. */
  readonly words: string
  readonly replaced: string | null
}

const NEAR = 160
/** Words that occur together in more messages do not identify one. */
const MOST_PLACES = 5
/** URLs, paths, files, and names in snake or camel case. */
const IDENTIFIER =
  /https?:\/\/[^\s"'`<>()[\]{}]+[\w/]|(?<![\w./-])[\w@.~-]*(?:\/[\w@.-]*\w)+|\b[a-zA-Z]\w+\.[a-z]\w{0,4}\b|\b[a-zA-Z]+(?:_[a-zA-Z0-9]|[a-z0-9][A-Z])\w*/g
const WORD = /(?<![\w./-])\p{L}{4,}(?![\w./-])/gu

const other = new Map(SYNONYMS.flatMap(([a = '', b = '']) => [[a, b] as const, [b, a] as const]))

export function grepCases(messages: readonly Message[], cases: number, seed: number): GrepCase[] {
  const random = createRandom(seed)
  const texts = messages.map((message) => textOf(message).toLowerCase())
  const found: GrepCase[] = []
  for (let tried = 0; found.length < cases && tried < cases * 20; tried++) {
    const message = random.int(0, messages.length - 1)
    const given = messages[message]
    if (given === undefined || given.role === 'system') continue
    const text = textOf(given)
    const identifier = random.pick([...new Set(text.match(IDENTIFIER))]) as string | undefined
    const at = identifier === undefined ? -1 : indexOfName(text, identifier)
    if (identifier === undefined || at < 0) continue
    const end = at + identifier.length
    const before = text.slice(Math.max(0, at - NEAR), at).replace(/^\S+/, '')
    const near = `${before} ${text.slice(end, end + NEAR).replace(/\S+$/, '')}`
    const words = [...new Set(Array.from(near.matchAll(WORD), ([word]) => word.toLowerCase()))]
    const chosen = shuffle(words, random).slice(0, random.int(2, 4))
    if (chosen.length < 2 || countNear(texts, chosen) > MOST_PLACES) continue
    const withSynonym = chosen.find((word) => other.has(word))
    found.push({
      message,
      identifier,
      words: chosen.join(' '),
      replaced:
        withSynonym === undefined
          ? null
          : chosen.map((word) => (word === withSynonym ? other.get(word) : word)).join(' '),
    })
  }
  return found
}

function countNear(texts: readonly string[], words: readonly string[]): number {
  return texts.filter((text) => words.every((word) => text.includes(word)) && standTogether(text, words))
    .length
}

function standTogether(text: string, words: readonly string[]): boolean {
  const [first = '', ...others] = words
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const around = text.slice(Math.max(0, at - 2 * NEAR), at + first.length + 2 * NEAR)
    if (others.every((word) => around.includes(word))) return true
  }
  return false
}
