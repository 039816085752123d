import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { embedViews } from '../../src/page/page-template.ts'
import { readEmbedded } from '../../web/src/data/file-source.ts'
import { said, sampleView } from './sample-view.ts'

const pack = (value: unknown) => gzipSync(JSON.stringify(value)).toString('base64')

test('long texts in parts, which are read when they are looked at and not before', async () => {
  const long = (name: string) => `${name} ü🙂 </script> `.repeat(40_000)
  const calls = [{ id: 'c1', name: 'write', arguments: JSON.stringify({ content: long('argument') }) }]
  const messages = [
    said(0, { text: long('text') }),
    said(1, { role: 'assistant', text: 'short', reasoning: long('reasoning'), calls }),
    said(2, { text: long('text') }),
  ]
  const view = sampleView({ messages })
  const pieces = [
    ...embedViews('<body></body>', { format: 1, version: '1.0.0', isRedacted: true, views: [view] }),
  ]
  const texts = pieces.slice(1, -1).map((piece) => /^<script [^>]*>([^<]*)<\/script>$/.exec(piece)?.[1] ?? '')
  const [data = '', ...parts] = [...texts.slice(-1), ...texts.slice(0, -1)]
  expect(parts).toHaveLength(3)
  // A reader of the pieces never has more than a few of the texts in memory.
  expect(parts.every((part) => part !== '')).toBe(true)
  // Of the two equal texts one is kept.
  expect(parts.join('').length).toBeLessThan(pack(messages).length * 2)
  let reads = 0
  const counted = parts.map((text) => ({
    get textContent() {
      reads += 1
      return text
    },
  }))
  const file = await readEmbedded(data, counted)
  expect(file.isRedacted).toBe(true)
  expect(reads).toBe(0)
  expect(file.views[0]?.messages[0]?.text).toBe(long('text'))
  expect(reads).toBe(1)
  expect(JSON.parse(JSON.stringify(file.views))).toEqual([view])
  await expect(readEmbedded(data, counted.slice(1))).rejects.toThrow(/damaged/)
  const broken = await readEmbedded(
    data,
    counted.map(() => ({ textContent: 'no base64' })),
  )
  expect(() => broken.views[0]?.messages[0]?.text).toThrow(/damaged/)
})

test.each([
  ['no base64', '§§', /damaged/],
  ['cut off', pack({ format: 1, version: '1', views: [sampleView()] }).slice(0, 80), /damaged/],
  ['not gzipped', Buffer.from('{}').toString('base64'), /damaged/],
])('one clear sentence for %s', async (_, encoded, sentence) => {
  await expect(readEmbedded(encoded, [])).rejects.toMatchObject({ name: 'PageDataError', message: sentence })
})
