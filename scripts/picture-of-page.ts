import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findBrowser } from '../packages/inspector/test/page/find-browser.ts'
import { openPage, startBrowser } from '../packages/inspector/test/page/open-page.ts'

// Makes the pictures of the page that the documentation shows: the bundled session, on the sources as they are and the
// page as it was built. node --conditions=@palimpsest/source scripts/picture-of-page.ts

/** The pictures of the demo by name: what it opens, and a request after a compaction. */
const PICTURES = {
  overview: '',
  timeline: '#/replay/timeline/request/48',
  context: '#/replay/context/request/48',
  transcript: '#/replay/transcript/tool/edit',
}

/** In bytes: more is too much for a README. */
const LARGEST = 220_000

const root = fileURLToPath(new URL('..', import.meta.url))
const app = join(root, 'apps/palimpsest')

const found = findBrowser()
if (found.path === null) {
  console.error(`No picture was made: ${found.why}.`)
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), 'palimpsest-picture-'))
const browser = await startBrowser(found.path)
try {
  const file = join(folder, 'page.html')
  const address = pathToFileURL(file).href
  const main = ['--conditions=@palimpsest/source', join(app, 'src/main.ts')]
  execFileSync(process.execPath, [...main, 'demo', '--html', file, '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { page } = await openPage(browser, address)
  const pictures = join(root, 'docs/page')
  await mkdir(pictures, { recursive: true })
  for (const [name, route] of Object.entries(PICTURES)) {
    await page.goto(address + route)
    await page.locator('main section').first().waitFor()
    if (name === 'context') await page.getByText('Changes', { exact: true }).click()
    // The chart is drawn last.
    await page.waitForTimeout(1_000)
    const path = join(pictures, `${name}.png`)
    await page.screenshot({ path })
    const { size } = await stat(path)
    if (size > LARGEST) throw new Error(`${path} has ${size} bytes, which is more than ${LARGEST}.`)
    console.log(`${path}: ${size} bytes`)
  }
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
