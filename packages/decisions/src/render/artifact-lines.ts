import type { ArtifactOperation, ArtifactTouch } from '../candidates/artifact-touch.ts'
import { lineText } from './line-text.ts'

/** Files up to here have a line each; more are listed by folder. */
export const MAX_FILE_LINES = 25
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

/** A file that calls have worked on. */
export interface TouchedFile {
  /** As it is named. */
  readonly path: string
  readonly touches: ArtifactTouch[]
  /** Undefined until they are needed. */
  facts?: FileFacts | undefined
}

interface FileFacts {
  /** The last change; the last touch of a file that was not changed. */
  readonly last: ArtifactTouch
  readonly counts: ReadonlyMap<ArtifactOperation, number>
  readonly value: number
}

function factsOf(file: TouchedFile): FileFacts {
  file.facts ??= readFacts(file.touches)
  return file.facts
}

function readFacts(touches: readonly ArtifactTouch[]): FileFacts {
  const counts = new Map<ArtifactOperation, number>()
  for (const { operation } of touches) counts.set(operation, (counts.get(operation) ?? 0) + 1)
  // A file that was read after it was edited is still one that was edited.
  const last = (touches.findLast(isChange) ?? touches.at(-1)) as ArtifactTouch
  // Changed files count most, and later turns more than earlier ones.
  const value = (isChange(last) ? 4 : 1) * (1 + Math.log2(touches.length)) * Math.log2(2 + last.turn)
  return { last, counts, value }
}

export function fileLine(file: TouchedFile): ArtifactLine {
  const { path } = file
  const { last, counts, value } = factsOf(file)
  const times = [...counts].map(
    ([operation, count]) => `${operation} ${count === 1 ? 'once' : `${count} times`}`,
  )
  const only = counts.size === 1 && counts.get(last.operation) === 1
  return {
    text: `- ${lineText(path, PATH_TOKENS)}: ${last.operation}, turn ${last.turn}${only ? '' : ` (${times.join(', ')})`}`,
    files: 1,
    value,
  }
}

export function folderLine(folder: string, files: readonly TouchedFile[]): ArtifactLine {
  const worthOf = (file: TouchedFile): number => factsOf(file).value
  const ranked = files.toSorted((a, b) => worthOf(b) - worthOf(a))
  const named = ranked.slice(0, NAMED_IN_FOLDER).map((file) => {
    const name = lineText(file.path.slice(file.path.lastIndexOf('/') + 1), NAME_TOKENS)
    const { last } = factsOf(file)
    return `${name} (${last.operation}, turn ${last.turn})`
  })
  const rest = files.length - named.length
  return {
    text: `- ${lineText(folder || './', PATH_TOKENS)}: ${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`,
    files: files.length,
    value: ranked.reduce((sum, file) => sum + worthOf(file), 0),
  }
}

function isChange({ operation }: ArtifactTouch): boolean {
  return operation === 'edited' || operation === 'created' || operation === 'deleted'
}
