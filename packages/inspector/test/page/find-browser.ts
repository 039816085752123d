import { accessSync, constants } from 'node:fs'

/** Set to a browser's path to test with that one. */
const setting = 'PALIMPSEST_TEST_BROWSER'

/** Where the packages of Linux distributions and of macOS put a Chromium. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** A browser to test with, or why there is none. */
export type FoundBrowser = { readonly path: string } | { readonly path: null; readonly why: string }

/** Looks for a Chromium on this machine. Nothing is downloaded. */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): FoundBrowser {
  const wanted = environment[setting]
  if (wanted) {
    return canRun(wanted)
      ? { path: wanted }
      : { path: null, why: `${setting} names ${wanted}, which cannot be run` }
  }
  const path = places.find(canRun)
  return path ? { path } : { path: null, why: `no Chromium is installed, and ${setting} is not set` }
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
