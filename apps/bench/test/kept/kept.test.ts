import { countMessages, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { ENGINES } from '../../src/arms/engines.ts'
import { runKept } from '../../src/kept/compare-projections.ts'
import { askedAt, keptIn, readForKept, usersWords, withoutLists } from '../../src/kept/kept-in.ts'
import { projectSimply, SIMPLE_PROJECTIONS } from '../../src/kept/simple-projections.ts'
import { createProgress } from '../../src/progress.ts'

const tokens = createTokenCounter()
const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const result = (content: string): Message => ({ role: 'tool', tool_call_id: 'a', content })

describe('the cases at a compaction', () => {
  const messages = [
    user('Please fix parseRow in src/rows.ts.'),
    assistant('parseRow in src/rows.ts throws ERR_BAD_ROW.'),
    assistant('Done.'),
    // The compaction stands here.
    result('src/rows.ts is fine'),
    assistant('I go back to parseRow and src/rows.ts, and then to newName.'),
  ]
  const reading = readForKept(messages)

  it('are the names that are used before anything shows them again, and were known before', () => {
    // The result shows src/rows.ts first, and newName is new.
    expect(reading.namesBehind(3)).toEqual(['parseRow'])
  })

  it('are the pairs that a later line uses together and that stood in a line before', () => {
    expect(reading.pairsBehind(3)).toEqual([['parseRow', 'src/rows.ts']])
  })

  it('are the beginnings of what users said, without nods and what hosts put there', () => {
    expect(
      usersWords([
        user('ok, go on'),
        user('<system>hi there, this is a host'),
        user('Use  tabs\nfrom now on.'),
      ]),
    ).toEqual(['Use tabs from now on.'])
  })

  it('are counted in a projection', () => {
    const asked = askedAt(reading, 3)
    expect(keptIn(messages.slice(0, 1), asked, reading)).toEqual({
      names: [true],
      relations: [true],
      words: [true],
    })
    expect(keptIn([user('something else')], asked, reading)).toEqual({
      names: [false],
      relations: [false],
      words: [false],
    })
  })

  it('count no relation in a list of names, nor across 240 characters', () => {
    const asked = askedAt(reading, 3)
    const list = user('Names: parseRow, src/rows.ts, ERR_BAD_ROW, otherName')
    const far = user(`parseRow ${'and so on '.repeat(30)} src/rows.ts`)
    expect(keptIn([list], asked, reading)).toMatchObject({ names: [true], relations: [false] })
    expect(keptIn([far], asked, reading)).toMatchObject({ names: [true], relations: [false] })
  })
})

it('lists are told from sentences by their other words', () => {
  const text =
    'paths: src/a.ts src/b.ts src/c.ts\nThe file src/a.ts imports src/b.ts and re-exports src/c.ts.'
  expect(withoutLists(text)).toBe('The file src/a.ts imports src/b.ts and re-exports src/c.ts.')
})

describe('a simple projection', () => {
  const messages = [
    { role: 'system', content: 'You are an agent.' } satisfies Message,
    ...Array.from({ length: 200 }, (_, index) => [
      user(`Question ${index} about file${index}.ts please.`),
      assistant(`The answer ${index} is in file${index}.ts, of course. ${'word '.repeat(30)}`),
    ]).flat(),
    user('And now?'),
  ]

  it.each(SIMPLE_PROJECTIONS)('$name fits into its size and shows the last request', (projection) => {
    const list = projectSimply(projection, messages, 2_000, tokens)
    expect(countMessages(tokens, list)).toBeLessThanOrEqual(2_020)
    expect(countMessages(tokens, list)).toBeGreaterThan(1_000)
    expect(list.at(-1)).toEqual(user('And now?'))
    expect(list[0]).toEqual(messages[0])
  })

  it('shares its room between users’ words, names and the raw end', () => {
    const [simple] = SIMPLE_PROJECTIONS
    if (simple === undefined) throw new Error('there is no simple projection')
    const text = JSON.stringify(projectSimply(simple, messages, 2_000, tokens)[1])
    expect(text).toMatch(/Question 19\d about file19\d/)
    expect(text).toMatch(/Names: file/)
  })
})

it('an engine is seen beside simple projections of its size', async () => {
  const messages = Array.from({ length: 120 }, (_, index) => [
    user(`Please look at module${index}Of in src/m${index % 7}.ts again.`),
    assistant(
      `module${index}Of in src/m${index % 7}.ts calls helper${index % 5}Of. ${'Some more words here. '.repeat(20)}`,
    ),
  ]).flat()
  const session = { name: 'made', messages, entries: [], nativeCompactions: [] }
  const lean = ENGINES.filter(({ name }) => name === 'compressor lean')
  const progress = createProgress({ isTTY: false, write: () => true } as never)
  const rows = await runKept({ sessions: [session], engines: lean, windows: [8_000], tokens, progress })
  expect(rows.map(({ arm }) => arm)).toEqual([
    'compressor lean',
    ...SIMPLE_PROJECTIONS.map(({ name }) => name),
  ])
  for (const { shares, compactions } of rows) {
    expect(compactions).toBeGreaterThan(0)
    expect(shares.words?.n).toBeGreaterThan(0)
  }
})
