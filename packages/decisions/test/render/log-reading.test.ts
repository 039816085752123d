import { roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DecisionSet } from '../../src/log/decision.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { readLog } from '../../src/render/log-reading.ts'
import { matchScores } from '../../src/render/match-scores.ts'
import { renderRecall } from '../../src/render/render-recall.ts'
import { renderTopBlock } from '../../src/render/render-top-block.ts'
import { Shown } from '../../src/render/shown.ts'
import { TouchedFiles } from '../../src/render/touched-files.ts'
import { collectEntries } from './full-walk.ts'
import { touchedBy } from './renders.ts'
import { createLongStory, createStory } from './said.ts'
import { talks } from './stories.ts'

it('reads a log once for a reader, until something is appended to it', () => {
  const story = createStory()
  const first = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 1 })
  const ledger = createDecisionLedger(story.events)
  const entriesFor = (session: string) => readLog(ledger, session).entries.all
  const entries = entriesFor('s1')
  expect(entriesFor('s1')).toBe(entries)
  expect(entriesFor('s2')[0]?.l0).toContain('another session')
  const second = story.assert({ slot: 'auth', choice: 'sessions' }, { turn: 2 })
  story.supersede(first, second, { turn: 2 })
  ledger.append(story.events)
  expect(entriesFor('s1').map(({ l0 }) => l0)).toEqual([expect.stringContaining('was JWT')])
  story.withdraw('s1', 3)
  ledger.append(story.events)
  expect(entriesFor('s1').map(({ l0 }) => l0)).toEqual([expect.stringContaining('auth: JWT [user')])
})

const linesOf = (entries: ReturnType<typeof collectEntries>) =>
  entries.map(({ standing, category, l0, detail }) => ({ standing, category, l0, detail }))

it('reads of a long log only what has changed since the last time', () => {
  const story = createLongStory(2_000)
  const ledger = createDecisionLedger(story.events)
  let reads = 0
  const decisions: DecisionSet = {
    get all() {
      reads += ledger.all.length
      return ledger.all
    },
    get changes() {
      return ledger.changes
    },
    get(id) {
      reads++
      return ledger.get(id)
    },
    ofSlot: (slot) => ledger.ofSlot(slot),
  }
  const touched = new TouchedFiles()
  const input = { decisions, touched, session: 's1', tokens: roughTokenCounter, budgetTokens: 900 }
  const shown = new Shown(renderTopBlock(input))
  const turn = (query: string) => {
    const isMisled = shown.misleads(readLog(decisions, 's1').entries)
    const { text, lines } = renderRecall({ ...input, query, shown })
    shown.add(lines)
    return { isMisled, text, top: renderTopBlock(input).text }
  }
  turn('Hello.')
  expect(reads).toBeGreaterThanOrEqual(2_000)
  // The second query builds the index of words.
  turn('Thanks.')
  reads = 0
  const [first] = ledger.all
  const next = story.assert({ slot: 'setting:s0', choice: '7 hours' }, { turn: 3_000 })
  story.supersede(first?.id ?? '', next, { turn: 3_000 })
  ledger.append(story.events.slice(-2))
  const { text, top } = turn('What is s77?')
  expect(text).toContain('s0: 7 hours (was 0 seconds')
  expect(text).toContain('s77: 77 seconds')
  expect(top).toContain('7 hours')
  expect(reads).toBeLessThan(100)
})

it('says of a log that grows what a walk over all of it says', () => {
  let said = 0
  fc.assert(
    fc.property(
      talks({ maxLength: 25 }),
      fc.constantFrom('s1', 's0'),
      fc.nat(5),
      fc.nat(1_500),
      ({ events, artifacts }, session, step, budgetTokens) => {
        const growing = createDecisionLedger()
        const touched = new TouchedFiles()
        let seen: ReadonlyMap<string, string> = new Map()
        let shown = new Shown({ lines: seen })
        for (let end = 1; end <= events.length; end += 1 + step) {
          growing.append(events.slice(Math.max(0, end - 1 - step), end))
          touched.add(artifacts.slice(Math.max(0, end - 1 - step), end))
          const whole = createDecisionLedger(events.slice(0, end))
          const query = JSON.stringify(events[(end * 7) % events.length])
          expect(growing.all).toEqual(whole.all)
          const reading = readLog(growing, session)
          const walked = collectEntries(whole, session)
          expect(linesOf(reading.entries.all)).toEqual(linesOf(walked))
          expect(reading.terms.scores(query)).toEqual(matchScores(query, whole.all))
          const input = {
            touched,
            session,
            tokens: roughTokenCounter,
            query,
            budgetTokens,
          }
          const atOnce = { ...input, decisions: whole, touched: touchedBy(artifacts.slice(0, end)) }
          const top = renderTopBlock({ ...input, decisions: growing })
          const topOfWhole = renderTopBlock(atOnce)
          expect(top.text).toEqual(topOfWhole.text)
          expect(top.lines).toEqual(topOfWhole.lines)
          const misleads = (by: Shown, log: DecisionSet) => by.misleads(readLog(log, session).entries)
          expect(misleads(shown, growing)).toBe(misleads(new Shown({ lines: seen }), whole))
          const block = renderRecall({ ...input, decisions: growing, shown })
          expect(block).toEqual(renderRecall({ ...atOnce, shown: new Shown({ lines: seen }) }))
          if (block.text !== '') said++
          // Entries that the block had no room for stay news; now and then a block at the top shows all of it.
          if (end % 7 !== 0) {
            shown.add(block.lines)
            const kept = [...seen].filter(([id, line]) => line !== '' || !block.lines.has(id))
            seen = new Map([...kept, ...block.lines])
          } else {
            shown = new Shown(top)
            const counted =
              top.text === ''
                ? []
                : walked.filter(({ standing }) => standing !== 'proposed' && standing !== 'ended')
            const ids = counted.flatMap(({ decisions }) => decisions.map(({ id }) => [id, ''] as const))
            seen = new Map([...top.lines, ...ids.filter(([id]) => !top.lines.has(id))])
          }
        }
      },
    ),
    { numRuns: 100 },
  )
  console.log(`${said} blocks with a text`)
  expect(said).toBeGreaterThan(100)
})
