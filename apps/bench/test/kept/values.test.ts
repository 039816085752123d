import { checkSequence, type Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { ENGINES } from '../../src/arms/engines.ts'
import { isAbout, readValues, runValues, valuesAt } from '../../src/kept/values/run-values.ts'
import {
  createWork,
  generateValueDialogue,
  PHRASES,
  type Statement,
  SUBJECTS,
  type Subject,
} from '../../src/kept/values/value-dialogue.ts'
import { createProgress } from '../../src/progress.ts'
import { textOf } from '../../src/recall/whole-word.ts'
import { createRandom, createVocabulary } from '../../src/workload/vocabulary.ts'

const user = (content: string): Message => ({ role: 'user', content })
const noted = (lines: string): Message => ({
  role: 'system',
  content: `Hi.\n<project_decisions>\n${lines}\n</project_decisions>`,
})

describe('the subjects', () => {
  it('share no value, and no value names its own subject', () => {
    const values = SUBJECTS.flatMap((subject) => subject.values)
    expect(new Set(values).size).toBe(values.length)
    for (const subject of SUBJECTS) {
      expect(isAbout(subject.name, subject), subject.name).toBe(true)
      for (const value of subject.values) expect(isAbout(value, subject), value).toBe(false)
    }
  })

  it('are talked of in at least eight ways each', () => {
    for (const [kind, phrases] of Object.entries(PHRASES))
      if (kind !== 'done') expect(new Set(phrases).size, kind).toBeGreaterThanOrEqual(8)
  })

  it('are not mentioned by the work between', () => {
    const random = createRandom(5)
    const work = createWork(random, createVocabulary(random, 4_000))
    const texts = Array.from({ length: 150 }, () => [
      ...work.rounds().map(textOf),
      work.request(),
      work.answer(),
    ]).flat()
    const about = SUBJECTS.filter((subject) => texts.some((text) => isAbout(text, subject)))
    expect(about.map(({ name }) => name)).toEqual([])
  })
})

describe('a dialogue', () => {
  const { messages, statements } = generateValueDialogue(3)

  it('is the same for the same seed, and another for another one', () => {
    expect(generateValueDialogue(3)).toEqual(generateValueDialogue(3))
    expect(generateValueDialogue(4).messages).not.toEqual(messages)
  })

  it('is a valid conversation in which every statement stands where it says', () => {
    expect(checkSequence(messages)).toEqual([])
    const held = new Map<Subject, (string | undefined)[]>()
    for (const { subject, way, value, sentence, at } of statements) {
      expect(messages[at]?.role).toBe('user')
      expect(messages[at]?.content).toContain(sentence)
      const before = held.get(subject) ?? []
      if (way === 'accept') {
        expect(messages[at - 1]?.content).toContain(value)
        expect(messages[at - 1]?.content).toContain(subject.name)
      } else if (value !== undefined) expect(sentence).toContain(value)
      if (way === 'change') expect(before).not.toContain(value)
      if (way === 'revert') expect(before.slice(0, -1)).toContain(value)
      if (way === 'confirm') expect(before.at(-1)).toBe(value)
      if (way === 'withdraw') expect(value).toBeUndefined()
      held.set(subject, [...before, value])
    }
    const ways = new Set(statements.map(({ way }) => way))
    expect(ways).toEqual(new Set(['state', 'accept', 'answer', 'change', 'revert', 'withdraw', 'confirm']))
  })

  it('shown whole, tells every value as it is at any point', () => {
    for (const until of [40, 200, messages.length]) {
      const asked = valuesAt(statements, until)
      const standingOf = readValues(messages.slice(0, until))
      expect(asked.length).toBeGreaterThan(0)
      for (const each of asked)
        expect(standingOf(each), each.latest.subject.name).toEqual({
          ...{ current: true, oldAlone: false, oldUnmarked: false },
        })
    }
  })

  it('of which nothing is shown, tells none', () => {
    const standingOf = readValues([user('And now?')])
    for (const each of valuesAt(statements, messages.length)) expect(standingOf(each).current).toBe(false)
  })
})

describe('a value in a projection', () => {
  const subject: Subject = { name: 'preview port', words: ['preview', 'port'], values: ['4180', '5290'] }
  const first: Statement = { subject, way: 'state', value: '4180', sentence: 'take 4180 there', at: 1 }
  const second: Statement = { subject, way: 'change', value: '5290', sentence: 'rather 5290', at: 5 }
  const gone: Statement = { subject, way: 'withdraw', sentence: 'scratch the preview port', at: 7 }
  const standing = (statements: readonly Statement[], ...projection: Message[]) => {
    const [asked] = valuesAt(statements, 9)
    return asked && readValues(projection)(asked)
  }

  it('is asked for with its old ones, and as it was before a message', () => {
    expect(valuesAt([first, second], 9)).toMatchObject([{ latest: second, olds: ['4180'] }])
    expect(valuesAt([first, second], 5)).toMatchObject([{ latest: first, olds: [] }])
    expect(valuesAt([first, second, { ...first, way: 'revert', at: 6 }], 9)).toMatchObject([
      { olds: ['5290'] },
    ])
    expect(valuesAt([first], 1)).toEqual([])
  })

  it.each([
    ['with its subject', 'The Preview-Port is 5290.', true],
    ["in the user's own sentence", '- so:  rather\n5290', true],
    ['without its subject', 'It is 5290.', false],
    ['as a part of another one', 'The preview port is 15290.', false],
    ['far from its subject', `The preview port: ${'and so on '.repeat(30)} 5290`, false],
    ['beside words that only end like its subject', 'We import and export 5290.', false],
  ])('stands %s: %s', (_, text, current) => {
    expect(standing([first, second], user(text))).toMatchObject({ current, oldAlone: false })
  })

  it('that is over stands alone where the one that holds does not', () => {
    expect(standing([first, second], user('preview port 4180'))).toMatchObject({ oldAlone: true })
    expect(standing([first, second], user('ok, take 4180 there'))).toMatchObject({ oldAlone: true })
    expect(standing([first, second], user('preview port 4180, rather 5290'))).toMatchObject({
      oldAlone: false,
    })
  })

  it('that was taken back stands as such by the sentence, or by a mark', () => {
    const all = [first, gone]
    expect(standing(all, user('so scratch the preview port'))).toMatchObject({ current: true })
    expect(standing(all, noted('- port: no longer 4180 [given up]'))).toMatchObject({ current: true })
    expect(standing(all, user('preview port 4180'))).toMatchObject({ current: false, oldAlone: true })
  })

  it.each([
    ['- port: 4180 [user, turn 3]', true],
    ['- port: 4180 (was 5290, turns 3 to 4) [user, turn 3]', true],
    ['- a rule [user]\n  "the port is 4180" (turn 3)', true],
    ['- port: 5290 (was 4180, turns 3 to 9) [user, turn 9]', false],
    ['- port: 5290 [user, turn 9]\n  "the port is 4180" (turn 3)', false],
    ['- port: 4180 (turn 3) or 80 (turn 5): contested [contested]', false],
    ['- port: 4180 [superseded in turn 9]', false],
    ['- port: 80 [user]\n- workers: 4180 [user]', false],
  ])('that is over, in a block of decisions: %s', (lines, oldUnmarked) => {
    expect(standing([first, second], noted(lines))).toMatchObject({ oldUnmarked })
    expect(standing([first, second], user(lines))).toMatchObject({ oldUnmarked: false })
  })
})

it('an engine is seen beside simple projections of its size', async () => {
  const engines = ENGINES.filter(({ name }) => name === 'compressor lean')
  const progress = createProgress({ isTTY: false, write: () => true } as never)
  const tokens = createTokenCounter()
  const { rows } = await runValues({ engines, windows: [32_000], seeds: 1, tokens, progress })
  expect(rows.map(({ arm }) => arm)).toEqual([
    ...['compressor lean', 'simple', 'users + tail', 'names + scrap', 'tail'],
  ])
  const share = (arm: string) => rows.find((row) => row.arm === arm)?.shares.current
  expect(share('users + tail')?.mean).toBeGreaterThan(share('names + scrap')?.mean ?? 1)
})
