/** A fenced block of a Markdown file. */
export interface FencedBlock {
  /** The first word behind the fence, such as `ts` or `sh`. */
  readonly language: string
  /** The rest of that line. */
  readonly info: string
  /** The text between the fences, with the last line break. */
  readonly text: string
  /** The line of the opening fence, from 1. */
  readonly line: number
}

/** The fenced blocks of a Markdown text, in their order. Fences inside of lists may be indented. */
export function fencedBlocks(markdown: string): readonly FencedBlock[] {
  return [...markdown.matchAll(/^([ \t]*)(`{3,})(\S*)[ \t]*(.*)\n([\s\S]*?)^[ \t]*\2[ \t]*$/gm)].map(
    ({ index, 1: indent = '', 3: language = '', 4: info = '', 5: text = '' }) => ({
      language,
      info: info.trim(),
      text: indent === '' ? text : text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, index).split('\n').length,
    }),
  )
}
