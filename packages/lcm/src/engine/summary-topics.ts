import type { Summary } from '@palimpsest/core'
import { isTelling } from '../search/question-terms.ts'
import { frameOf } from './node-request.ts'

const MOST_TOPICS = 8
const MOST_FILES = 4
/** A word in more lines than this share names a speaker or carries no meaning. */
const MOST_LINES_SHARE = 0.3
const WORD = /(?<![\p{L}\p{N}'’/._-])\p{L}[\p{L}\p{N}_-]{3,}(?![\p{L}\p{N}'’/._-])/gu
const MARK = /^(?:- )?m\d+: /

/** The topics of consecutive summaries. Later summaries do not change it, so a cached prefix stays valid. */
export function topicsOf(nodes: readonly Summary[]): string {
  const frames = nodes.map(frameOf)
  const said = frames.flatMap((frame) => frame.said.map((line) => line.replace(MARK, '')))
  const lines = [...said, ...frames.flatMap(({ record }) => record.split('\n'))]
  const files = frames.flatMap(({ files }) => [...files.keys()]).slice(-MOST_FILES)
  const names = [...new Set(files.map((path) => path.slice(path.lastIndexOf('/') + 1)))]
  return [...sharedWords(lines), ...names].join(', ').replace(/["<>\n]/g, '')
}

function sharedWords(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of lines) {
    for (const word of new Set(line.toLowerCase().match(WORD)?.filter(isTelling)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const most = Math.max(2, lines.length * MOST_LINES_SHARE)
  return [...counts]
    .filter(([, count]) => count > 1 && count <= most)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_TOPICS)
    .map(([word]) => word)
}
