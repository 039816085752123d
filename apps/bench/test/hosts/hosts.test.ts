import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import { HOST_ARMS, type HostsRow, oversizedTalk, runHosts } from '../../src/hosts/run-hosts.ts'
import { generated } from '../arms/conversations.ts'

const tokens = createTokenCounter()
const BUDGET = 16_000

async function rowsOf(...names: readonly string[]): Promise<HostsRow[]> {
  const progress = () => {}
  const sessions = [{ file: 'generated', messages: generated }] as never
  const arms = HOST_ARMS.filter(({ name }) => names.includes(name))
  return runHosts({ arms, budget: BUDGET, sessions, tokens, progress })
}

describe('beside the compactions of hosts', () => {
  it('an engine goes on when its summariser fails, and fits a large result into the budget', async () => {
    const [row] = await rowsOf('compressor')
    expect(row?.usual.compactions).toBeGreaterThan(0)
    expect(row?.failing).toMatchObject({ errors: 0, above: 0, invalid: 0 })
    expect(row?.oversized).toMatchObject({ errors: 0 })
    expect(row?.oversized.most).toBeLessThanOrEqual(1)
  })

  it('what hosts do without a summariser is counted', async () => {
    const [langchain, deepagents, mastra, pi] = await rowsOf(
      'langchain summarization',
      'deepagents summarization',
      'mastra observations',
      'pi compaction',
    )
    // The text of the error stands where the summary should.
    expect(langchain?.failing.errors).toBe(0)
    // The error reaches the host.
    expect(deepagents?.failing.errors).toBeGreaterThan(0)
    expect(mastra?.failing.errors).toBeGreaterThan(0)
    // A result is observed before the model has seen it.
    expect(mastra?.oversized.most).toBeLessThan(1)
    // The prompt stays as long as it is.
    expect(pi?.failing.above).toBeGreaterThan(0)
    for (const row of [langchain, deepagents, mastra, pi])
      expect(row?.usual).toMatchObject({ errors: 0, invalid: 0 })
  })

  it('the large result is three times the budget', () => {
    const result = oversizedTalk(BUDGET, tokens).find(({ role }) => role === 'tool')
    expect(result && tokens.countMessage(result)).toBeGreaterThan(3 * BUDGET)
  })
})
