import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorText } from '@palimpsest/core'
import { readPageTemplate } from '@palimpsest/inspector'
import { BUNDLED_SESSION } from '../bundled-session.ts'
import type { Configuration } from '../engines/configuration.ts'
import { type ReplayFlags, runReplay } from './run-replay.ts'

export interface DemoFlags extends ReplayFlags {
  readonly open: boolean
}

/** Shown on the page beside the chosen engine. */
const COMPARED = 'compressor,lcm,decisions'

/** Replays the bundled session and writes the page, which is opened if a person sits at this machine. */
export async function runDemo(configuration: Configuration, flags: DemoFlags): Promise<number> {
  const { path = flags.html, reason } = flags.html === undefined ? await temporaryPage() : {}
  // A model is paid for: it writes the summaries of other engines only when they are asked for.
  const { compare = flags.model === undefined ? COMPARED : undefined, ...own } = flags
  // There are no secrets in it, and so no note about them.
  const page =
    path === undefined ? {} : { html: path, redact: true, ...(compare !== undefined && { compare }) }
  const code = await runReplay(BUNDLED_SESSION, configuration, { ...own, ...page })
  if (reason !== undefined) process.stderr.write(`no page was written: ${reason}\n`)
  if (path !== undefined && flags.open && process.stdout.isTTY) {
    const { openInBrowser } = await import('../open-in-browser.ts')
    await openInBrowser(pathToFileURL(path).href, process.env)
  }
  return code
}

/** Where the page goes without a file's name, or why there cannot be one. */
async function temporaryPage(): Promise<{ readonly path?: string; readonly reason?: string }> {
  try {
    await readPageTemplate()
    return { path: join(await mkdtemp(join(tmpdir(), 'palimpsest-')), 'demo.html') }
  } catch (error) {
    return { reason: errorText(error) }
  }
}
