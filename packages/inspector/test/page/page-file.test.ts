import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { embedViews } from '../../src/page/page-template.ts'
import type { PageFile } from '../../src/view/session-view.ts'
import { watchedSession } from '../view/watched-session.ts'

const DATA = /<script id="palimpsest-data" type="application\/octet-stream">([A-Za-z0-9+/=]*)<\/script>/g

it('puts sessions into the page so that none of their texts becomes a part of it', async () => {
  const { session, recorder } = watchedSession(10_000)
  const hostile = '</script></body><script>alert(1)</script> $& $1 \ud83d \u2028 日本語'
  await session.prepare([{ role: 'user', content: hostile }])
  const view = await recorder.view()
  const template =
    '<!doctype html><body><script>const tail = "</body>"</script><div id="root"></div></body></html>\n'
  const page = [...embedViews(template, { format: 1, version: '1.2.3', views: [view] })].join('')
  const found = [...page.matchAll(DATA)]
  expect(found).toHaveLength(1)
  expect(page.replace(DATA, '')).toBe(template)
  expect(page.indexOf(found[0]?.[0] ?? '')).toBe(template.lastIndexOf('</body>'))
  const file: PageFile = JSON.parse(gunzipSync(Buffer.from(found[0]?.[1] ?? '', 'base64')).toString())
  expect(file).toEqual({ format: 1, version: '1.2.3', parts: 0, views: [JSON.parse(JSON.stringify(view))] })
  expect(file.views[0]?.messages[0]?.text).toBe(hostile)
})
