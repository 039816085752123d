import { type Message, messageText, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'

/** Looks for the end of a name first, which is much rarer than a word. */
const FILE = /(?<=([\w-]+))\.(?:ts|py)\b/g
/** Words for what happens to a file, as people, tools and ledgers write them. */
const OPERATION =
  /\b(?:(edit|writ|wrote|creat|delet|remov|renam|mov|mv\b|rm\b|chang|updat|modif|patch)|read|view|search|look|list|open|grep|inspect)\w*/g
/** Characters between a file's name and the word. */
const NEAR = 80

/**
 * The files that a prompt presents as changed, whoever writes it. A file in a line of text: the nearest word for an operation is
 * one of change, such as `src/a.ts (edited 2, read 3)`. A file in a call: the tool is one that changes files, such as
 * `edit_file`, or the command names a change next to it, such as `rm src/a.ts`. Names are compared without folders.
 */
export function changedFiles(messages: readonly Message[], files: ReadonlySet<string>): Set<string> {
  const changed = new Set<string>()
  const read = (text: string, tool = ''): void => {
    const [byTool] = tool.matchAll(OPERATION)
    for (const { index, 0: ending, 1: stem = '' } of text.matchAll(FILE)) {
      const name = stem + ending
      if (!files.has(name) || changed.has(name)) continue
      const isChange =
        byTool === undefined
          ? isChangeNear(text, index - stem.length, index + ending.length)
          : byTool[1] !== undefined
      if (isChange) changed.add(name)
    }
  }
  for (const message of messages) {
    read(messageText(message))
    for (const call of toolCallsOf(message)) read(toolCallInput(call), toolCallName(call))
  }
  return changed
}

/** Whether the nearest word for an operation on the same line is one of change. */
function isChangeNear(text: string, start: number, end: number): boolean {
  const from = Math.max(text.lastIndexOf('\n', start) + 1, start - NEAR)
  const line = text.slice(from, end + NEAR)
  const stop = line.indexOf('\n', end - from)
  const words = [...line.slice(0, stop === -1 ? line.length : stop).matchAll(OPERATION)]
  const distance = ({ index, 0: word }: RegExpExecArray): number =>
    Math.max(start - from - (index + word.length), index - (end - from))
  const [nearest] = words.sort((a, b) => distance(a) - distance(b))
  return nearest?.[1] !== undefined
}
