import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeMachine } from '../../src/commands/define-measure.ts'
import { scaleSections } from '../../src/commands/scale.ts'
import { renderMarkdown } from '../../src/report/section.ts'
import { findPrograms } from '../../src/scale/open-place.ts'
import { runScale } from '../../src/scale/run-scale.ts'

const url = process.env.PALIMPSEST_TEST_POSTGRES_URL
const hasServer = url !== undefined || findPrograms() !== undefined

/** It starts a server and six processes; milliseconds. */
const TIMEOUT = 180_000

it.skipIf(!hasServer)(
  'measures everything of a small store, and counts what workers wrote',
  async () => {
    const report = await runScale({
      ...{ url, messages: 1_000, sessions: 5, seed: 1, effort: 0.05, workers: [2], folder: tmpdir() },
      program: fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
      progress: { step() {}, done() {}, end() {} },
    })
    expect(report.sizes.map(({ sessions }) => sessions)).toEqual([5])
    for (const { turn, floor, trips } of report.turns) {
      expect(turn.n).toBeGreaterThan(0)
      expect(floor.median).toBeGreaterThan(0)
      expect(trips).toBeGreaterThan(0)
    }
    const hits = report.greps.filter(({ sessions }) => sessions === 1).map(({ what, hits }) => [what, hits])
    expect(Object.fromEntries(hits)).toEqual({
      'rare word': 1,
      'word in 40 % of the messages': 10,
      'rare part of a word': 1,
      'rare Chinese': 1,
      'rare regular expression': 1,
    })
    for (const { written, found } of report.workers) {
      expect(written).toBeGreaterThan(0)
      expect(found).toBe(written)
    }
    const made = {
      command: 'bench scale',
      date: '2026-01-02',
      machine: describeMachine(),
      versions: { node: '24.0.0' },
    }
    const page = renderMarkdown(scaleSections(report, made))
    for (const { bytes, characters } of report.sizes) expect(bytes).toBeGreaterThan(characters)
    expect(page).toContain('| 2 | the same session |')
    expect(page).not.toMatch(/NaN|undefined|Infinity/)
  },
  TIMEOUT,
)
