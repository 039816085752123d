import { describe, expect, it } from 'vitest'
import { renderTerminal } from '../../src/report/render.ts'
import { left, right, tableOf } from '../../src/report/section.ts'

describe('renderTerminal', () => {
  it('wraps long cells, and loses no word of them', () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`)
    const table = tableOf([words.join(' ')], [left('name', (text) => text), right('n', () => '12,345')])
    const shown = renderTerminal([{ level: 2, title: 'Long', text: [], table }])
    for (const line of shown.split('\n')) expect(line.length).toBeLessThan(80)
    expect(shown.match(/word\d+/g)).toEqual(words)
    expect(shown).toContain('12,345')
  })
})
