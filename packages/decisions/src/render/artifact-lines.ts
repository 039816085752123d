import type { ArtifactOperation, ArtifactTouch } from '../candidates/artifact-touch.ts'
import { lineText } from './line-text.ts'

/** Files up to here have a line each; more are listed by folder. */
export const MAX_FILE_LINES = 25
/** Files of a folder that are named. */
export const NAMED_IN_FOLDER = 8
const PATH_TOKENS = 40
const NAME_TOKENS = 16

/** A line about files, and how much it matters. */
export interface ArtifactLine {
  readonly text: string
  /** Files that it stands for. */
  readonly files: number
  readonly value: number
}

export type FileTouch = Pick<ArtifactTouch, 'operation' | 'turn'>

/** A file that calls have worked on. */
interface TouchedFile {
  /** As it is named. */
  readonly path: string
  /** Oldest first; at least one. */
  readonly touches: readonly FileTouch[]
}

interface FileFacts {
  /** The last change; the last touch of a file that was not changed. */
  readonly last: FileTouch
  readonly counts: ReadonlyMap<ArtifactOperation, number>
  readonly value: number
}

export function factsOf(touches: readonly FileTouch[]): FileFacts {
  const counts = new Map<ArtifactOperation, number>()
  for (const { operation } of touches) counts.set(operation, (counts.get(operation) ?? 0) + 1)
  // A file that was read after it was edited is still one that was edited.
  const last = (touches.findLast(isChange) ?? touches.at(-1)) as FileTouch
  // Changed files count most, and later turns more than earlier ones.
  const value = (isChange(last) ? 4 : 1) * (1 + Math.log2(touches.length)) * Math.log2(2 + last.turn)
  return { last, counts, value }
}

export function fileLine({ path, touches }: TouchedFile): ArtifactLine {
  const { last, counts, value } = factsOf(touches)
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

/** `first`: the files that are named. */
export function folderLine(
  folder: string,
  first: readonly TouchedFile[],
  { files, value }: Omit<ArtifactLine, 'text'>,
): ArtifactLine {
  const named = first.map(({ path, touches }) => {
    const name = lineText(path.slice(path.lastIndexOf('/') + 1), NAME_TOKENS)
    const { last } = factsOf(touches)
    return `${name} (${last.operation}, turn ${last.turn})`
  })
  const rest = files - named.length
  const parts = ['- ', lineText(folder || './', PATH_TOKENS), ': ', named.join(', ')]
  if (rest > 0) parts.push(` and ${rest} more`)
  // A text that is put together otherwise keeps its parts, and there is a line for each folder.
  return { text: parts.join(''), files, value }
}

function isChange({ operation }: FileTouch): boolean {
  return operation === 'edited' || operation === 'created' || operation === 'deleted'
}
