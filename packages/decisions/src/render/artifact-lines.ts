import type { ArtifactOperation, ArtifactTouch } from '../candidates/artifact-touch.ts'
import { lineText } from './line-text.ts'

/** Files up to here have a line each; more are listed by folder. */
const MAX_FILE_LINES = 25
/** Files of a folder that are named. */
const NAMED_IN_FOLDER = 8
const PATH_TOKENS = 40
const NAME_TOKENS = 16

/** A line about files, and how much it matters. */
export interface ArtifactLine {
  readonly text: string
  /** Files that it stands for. */
  readonly files: number
  readonly value: number
}

interface File {
  readonly path: string
  readonly last: ArtifactTouch
  readonly counts: ReadonlyMap<ArtifactOperation, number>
}

/**
 * Which files were worked on: `src/db.ts: edited, turn 12 (edited 3 times, read 2 times)`, in the order in which they were
 * touched first; by folder when they are many. Calls that failed do not count.
 */
export function artifactLines(artifacts: readonly ArtifactTouch[]): ArtifactLine[] {
  const files = readFiles(artifacts)
  if (files.length <= MAX_FILE_LINES) return files.map(fileLine)
  const folders = new Map<string, File[]>()
  for (const file of files) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
    const inside = folders.get(folder)
    if (inside === undefined) folders.set(folder, [file])
    else inside.push(file)
  }
  return [...folders].map(([folder, inside]) => folderLine(folder, inside))
}

function readFiles(artifacts: readonly ArtifactTouch[]): File[] {
  const files = new Map<
    string,
    { path: string; last: ArtifactTouch; counts: Map<ArtifactOperation, number> }
  >()
  for (const touch of artifacts) {
    if (touch.failed) continue
    const file = files.get(touch.path) ?? { path: touch.path, last: touch, counts: new Map() }
    file.counts.set(touch.operation, (file.counts.get(touch.operation) ?? 0) + 1)
    // A file that was read after it was edited is still one that was edited.
    if (isChange(touch) || !isChange(file.last)) file.last = touch
    files.set(touch.path, file)
  }
  return [...files.values()]
}

function fileLine(file: File): ArtifactLine {
  const { path, last, counts } = file
  const times = [...counts].map(
    ([operation, count]) => `${operation} ${count === 1 ? 'once' : `${count} times`}`,
  )
  const only = counts.size === 1 && counts.get(last.operation) === 1
  return {
    text: `- ${lineText(path, PATH_TOKENS)}: ${last.operation}, turn ${last.turn}${only ? '' : ` (${times.join(', ')})`}`,
    files: 1,
    value: weightOf(file),
  }
}

function folderLine(folder: string, files: readonly File[]): ArtifactLine {
  const ranked = files
    .map((file, place) => ({ file, place, value: weightOf(file) }))
    .sort((a, b) => b.value - a.value || a.place - b.place)
  const named = ranked.slice(0, NAMED_IN_FOLDER).map(({ file: { path, last } }) => {
    const name = lineText(path.slice(path.lastIndexOf('/') + 1), NAME_TOKENS)
    return `${name} (${last.operation}, turn ${last.turn})`
  })
  const rest = files.length - named.length
  return {
    text: `- ${lineText(folder || './', PATH_TOKENS)}: ${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`,
    files: files.length,
    value: ranked.reduce((sum, { value }) => sum + value, 0),
  }
}

/** Changed files count most, and later turns more than earlier ones. */
function weightOf({ last, counts }: File): number {
  const touches = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return (isChange(last) ? 4 : 1) * (1 + Math.log2(touches)) * Math.log2(2 + last.turn)
}

function isChange({ operation }: ArtifactTouch): boolean {
  return operation === 'edited' || operation === 'created' || operation === 'deleted'
}
