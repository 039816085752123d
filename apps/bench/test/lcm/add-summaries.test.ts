import { createMemoryStore } from '@palimpsest/lcm'
import { describe, expect, it } from 'vitest'
import { addSummaries, buildStore } from '../../src/lcm/fill-store.ts'

describe('addSummaries', () => {
  it('covers the history without a gap, by few summaries at the top', async () => {
    const built = await buildStore(createMemoryStore(), { seed: 1, messages: 2_000 })
    const written = await addSummaries(built)
    const { nodes } = await built.session.frontier()
    expect(written).toBeGreaterThan(built.coverTo / 24)
    expect(nodes.length).toBeLessThanOrEqual(8)
    expect(nodes.map(({ depth }) => depth)).toContain(2)
    expect(nodes[0]?.first).toBe(1)
    for (const [index, node] of nodes.entries()) {
      const next = nodes[index + 1]
      expect(node.last + 1).toBe(next?.first ?? built.coverTo + 1)
    }
  })
})
