import { describe, expect, it } from 'vitest'
import { readLines } from '../src/read-lines.ts'
import { withFile } from './support/recording.ts'

function linesOf(content: string | Uint8Array, maxLineBytes = 1000): Promise<[number, string][]> {
  return withFile(content, async (path) => {
    const lines: [number, string][] = []
    await readLines(path, { maxLineBytes }, (text, line) => lines.push([line, text]))
    return lines
  })
}

describe('readLines', () => {
  it('numbers lines, with either line break and without one at the end', async () => {
    expect(await linesOf('a\r\n\nb\nc')).toEqual([
      [1, 'a'],
      [2, ''],
      [3, 'b'],
      [4, 'c'],
    ])
  })

  it('drops the byte order mark', async () => {
    expect(await linesOf('\uFEFFa\n\uFEFFb\n')).toEqual([
      [1, 'a'],
      [2, '\uFEFFb'],
    ])
  })

  it('keeps characters and lines whole that a block cuts in two', async () => {
    const long = `${'ä'.repeat(200_000)}x`
    const lines = await linesOf(`x${long}\n${long}\nend\n`, 1_000_000)
    expect(lines.map(([, text]) => text)).toEqual([`x${long}`, long, 'end'])
  })

  it('accepts a line of exactly the limit and refuses one byte more', async () => {
    expect(await linesOf('12345\n12345', 5)).toHaveLength(2)
    await expect(linesOf('12345\n123456\n', 5)).rejects.toMatchObject({
      code: 'TRANSCRIPT_LINE_TOO_LONG',
      line: 2,
    })
  })

  it('replaces bytes that are not UTF-8 behind the first block', async () => {
    const first = `${'a'.repeat(300_000)}\n`
    const lines = await linesOf(Buffer.concat([Buffer.from(first), Buffer.from([0xff, 0x62])]), 1_000_000)
    expect(lines[1]).toEqual([2, '\uFFFDb'])
  })

  it('reports progress up to the size of the file', async () => {
    const reports = await withFile('x\n'.repeat(300_000), async (path) => {
      const reports: [number, number][] = []
      const onProgress = (read: number, total: number) => reports.push([read, total])
      await readLines(path, { maxLineBytes: 10, onProgress }, () => {})
      return reports
    })
    expect(reports.length).toBeGreaterThan(1)
    expect(reports.at(-1)).toEqual([600_000, 600_000])
  })
})
