import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { errorText } from '@palimpsest/core'
import type { StrayErrors } from './stray-errors.ts'
import { UsageError } from './usage-error.ts'

/**
 * Imports a module and returns what it exports.
 *
 * @throws UsageError when it throws, or leaves an unhandled failure behind.
 */
export async function loadModule(
  url: string,
  label: string,
  strays: StrayErrors,
): Promise<Readonly<Record<string, unknown>>> {
  let exports: Readonly<Record<string, unknown>>
  try {
    exports = await import(url)
  } catch (error) {
    const text = errorText(error)
    throw new UsageError(
      `${label} threw while it was loaded: ${text}${placeOf(error, label)}${adviceOn(text)}`,
    )
  }
  // Node reports unhandled promises when the current work is over.
  await setImmediate()
  const [stray] = strays.take()
  if (stray !== undefined) throw new UsageError(`${label} left ${stray} while it was loaded`)
  return exports
}

/** The usual reasons why the module of a newcomer does not load. */
function adviceOn(text: string): string {
  const [, missing] = /^Cannot find package '([^']+)'/.exec(text) ?? []
  if (missing !== undefined) return `; install it: npm install ${missing}`
  return text.startsWith('Unknown file extension ".mts"') || text.startsWith('Unknown file extension ".ts"')
    ? `; TypeScript needs Node 22.18 or later, and this is ${process.versions.node}`
    : ''
}

/** A line of a stack that names a file of the author: `at load (file:///engine.js:12:7)`. */
const FRAME = /^ +at (?:.* \()?(?!node:)([^()\s]+):(\d+):\d+\)?$/m

/** Where in the author's files it happened. */
function placeOf(error: unknown, label: string): string {
  if (!(error instanceof Error)) return ''
  const [, file, line] = FRAME.exec(error.stack ?? '') ?? []
  if (file !== undefined) return ` (${basename(decodeURIComponent(file))}:${line})`
  // Only what Node prints itself says where a syntax error is.
  return error instanceof SyntaxError ? ` ("node ${label}" shows where)` : ''
}
