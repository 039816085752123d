import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../../packages/inspector/test/page/find-browser.ts'
import { openPage, startBrowser } from '../../packages/inspector/test/page/open-page.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { mustRun } from '../run-command.ts'

const dist = join(REPOSITORY_ROOT, 'site', 'dist')
const browser = findBrowser()
if (browser.path === null) console.warn(`the site is not opened: ${browser.why}`)

// It fails for a link to a page that is not there. A seventh of its time was collecting garbage, in the usual small heap of new objects.
beforeAll(() =>
  mustRun(process.execPath, ['--max-semi-space-size=128', 'site/build.ts'], { cwd: REPOSITORY_ROOT }),
)

const read = (path: string): string => readFileSync(join(dist, path), 'utf8')

describe('the site', () => {
  it('has a page for each document and each entry point of a package', () => {
    for (const name of globSync('docs/*.md', { cwd: REPOSITORY_ROOT }))
      expect(read(name.replace(/md$/, 'html')), name).toContain('<h1')
    expect(read('api/@palimpsest/core.html')).toContain('createContextSession')
    expect(read('api/@palimpsest/contract-tests/host.html')).toContain('HostTarget')
  })

  it('has each heading that a link names', () => {
    const pages = new Map(globSync('**/*.html', { cwd: dist }).map((page) => [page, read(page)]))
    const ids = new Map(
      [...pages].map(([page, text]) => [
        page,
        new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    )
    const broken = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/href="([^"#:]*)#([^"]+)"/g)].flatMap(([, path = '', heading = '']) => {
        const target = join('/', path.startsWith('/') ? '' : dirname(page), path || basename(page))
        const file = (target.endsWith('/') ? `${target}index.html` : target).slice(1)
        return ids.get(file)?.has(decodeURIComponent(heading)) ? [] : [`${page}: ${path}#${heading}`]
      }),
    )
    expect([...new Set(broken)]).toEqual([])
  })

  it.skipIf(browser.path === null)(
    'opens in a browser: search, dark mode, the session of the demo',
    async () => {
      const server = createServer(({ url = '/' }, response) => {
        const path = resolve(dist, `.${decodeURIComponent(new URL(url, 'http://x').pathname)}`)
        const file = path.endsWith('dist') ? join(path, 'index.html') : path
        const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
        response.setHeader('content-type', types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
        response.statusCode = existsSync(file) ? 200 : 404
        response.end(existsSync(file) ? readFileSync(file) : '')
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const chromium = await startBrowser(browser.path ?? '')
      const { page, problems } = await openPage(chromium, `${address}/`)
      try {
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('searchbox').fill('lcm_grep')
        await page.locator('.result').first().waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('switch').first().click()
        expect(await page.locator('html').getAttribute('class')).toContain('dark')
        await page.getByRole('link', { name: 'A session on the page' }).first().click()
        await page.getByText('tokens').first().waitFor()
        expect(problems).toEqual([])
      } finally {
        await chromium.close()
        server.close()
      }
    },
  )
})
