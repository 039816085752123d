import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { measureFacts } from '../src/speed/measure-facts.ts'
import { renderSpeed } from '../src/speed/render-speed.ts'
import { runSpeed } from '../src/speed/run-speed.ts'
import { timePair } from '../src/speed/time.ts'
import { generateConversation } from '../src/workload/conversation.ts'

describe('measureFacts', () => {
  const workload = generateConversation({ seed: 3, messages: 900, needles: 96 })
  const tokens = createTokenCounter()
  it.each(['lean', 'classic'] as const)(
    '%s: every fact is shown to the summariser before its text is cleared',
    async (profile) => {
      const counts = await measureFacts(workload, tokens, profile)
      for (const { where, planted, reached, compactions } of counts) {
        console.log(`${profile}, ${where}: ${reached} of ${planted} facts, ${compactions} compactions`)
        expect(compactions).toBeGreaterThan(3)
        expect(planted).toBe(48)
        expect(reached).toBe(planted)
      }
    },
  )
})

describe('timePair', () => {
  it('runs both sides alike and prepares each run', async () => {
    const log: string[] = []
    const side = (name: string) => ({
      prepare: () => log.push(`prepare ${name}`),
      run: () => log.push(`run ${name}`),
    })
    const { measured, floor } = await timePair(side('a'), side('b'), 2)
    expect(log.slice(0, 4)).toEqual(['prepare a', 'run a', 'prepare b', 'run b'])
    expect(log.filter((entry) => entry === 'run a')).toHaveLength(
      log.filter((entry) => entry === 'run b').length,
    )
    for (const { min, median, max } of [measured, floor]) expect(min <= median && median <= max).toBe(true)
  })
})

describe('bench speed', () => {
  it('reports a ratio for every operation', async () => {
    const report = await runSpeed({ seed: 1, sizes: [60], factMessages: 0, effort: 0.01 })
    expect(report.rows).toHaveLength(13)
    for (const { ratio } of report.rows) expect(ratio).toBeGreaterThan(0)
    expect(renderSpeed(report)).toContain('compress, lean, stub model')
  })
})
