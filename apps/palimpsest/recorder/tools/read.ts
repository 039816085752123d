import { existsSync, readFileSync, statSync } from 'node:fs'
import { done, failed, type Tool } from './tool.ts'
import { inWorkspace, listFiles } from './workspace-files.ts'

/** Shows a file with line numbers, whole or from line `from` to line `to`; a folder as the list of its files. */
export const read: Tool = (root, args) => {
  const path = inWorkspace(root, args.path)
  if (!existsSync(path)) return failed(`no such file: ${args.path}`)
  if (statSync(path).isDirectory()) return done(listFiles(root, path).join('\n'))
  const lines = readFileSync(path, 'utf8').replace(/\n$/, '').split('\n')
  const from = Number(args.from ?? 1)
  const shown = lines.slice(from - 1, Number(args.to ?? lines.length))
  return done(shown.map((line, index) => `${from + index}\t${line}`).join('\n'))
}
