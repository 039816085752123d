import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type PackageManifest, packageLabel } from './peer-arm.ts'
import { sessionCompaction } from './session-compaction.ts'

const manifestPath = findPackageJSON('@earendil-works/pi-coding-agent', import.meta.url) ?? ''
const manifest: PackageManifest = JSON.parse(readFileSync(manifestPath, 'utf8'))

/** pi's own compaction: one summary, which is updated, and the end. It is not in pi's hands what a summary may cost. */
export const piCompaction = sessionCompaction({
  name: 'pi compaction',
  functions: `prepareCompaction and compact of ${packageLabel(manifest)}`,
  // pi exports `compact` and not what prepares it.
  load: () => import(new URL('dist/core/compaction/index.js', pathToFileURL(manifestPath)).href),
})
