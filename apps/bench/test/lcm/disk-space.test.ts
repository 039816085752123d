import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { findShortage } from '../../src/lcm/scratch-folder.ts'

describe('findShortage', () => {
  it('says what does not fit, and what to do', async () => {
    expect(await findShortage(tmpdir(), 1e12)).toMatch(
      /^1,000,000,000,000 messages need .* GB in .*, which has .* GB free\. Make room, set TMPDIR/,
    )
  })

  it('finds nothing wrong with a small run', async () => {
    expect(await findShortage(tmpdir(), 1)).toBeUndefined()
  })
})
