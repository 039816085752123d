import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readEmbedded } from '../../web/src/data/file-source.ts'
import { said, sampleView } from './sample-view.ts'

const pack = (value: unknown) => gzipSync(JSON.stringify(value)).toString('base64')

test('the sessions of a file, byte for byte', async () => {
  const view = sampleView({ messages: [said(0, { text: 'ünïcode </script> \u2028 🙂' })] })
  await expect(readEmbedded(`\n${pack({ format: 1, version: '1.0.0', views: [view] })}\n`)).resolves.toEqual([
    view,
  ])
})

test.each([
  ['no base64', '§§', /damaged/],
  ['cut off', pack({ format: 1, version: '1', views: [sampleView()] }).slice(0, 80), /damaged/],
  ['not gzipped', Buffer.from('{}').toString('base64'), /damaged/],
  ['something else', pack([1, 2]), /not a session of Palimpsest/],
  ['a newer format', pack({ format: 2, views: [] }), /format 2/],
  ['no list', pack({ format: 1, version: '1' }), /no list of sessions/],
  [
    'half a session',
    pack({ format: 1, version: '1', views: [{ format: 1, id: 'a' }] }),
    /not a whole session/,
  ],
])('one clear sentence for %s', async (_, encoded, sentence) => {
  await expect(readEmbedded(encoded)).rejects.toMatchObject({ name: 'PageDataError', message: sentence })
})
