import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { done, failed, type Tool } from './tool.ts'
import { inWorkspace } from './workspace-files.ts'

/** Replaces a text that occurs exactly once in a file. */
export const edit: Tool = (root, args) => {
  const path = inWorkspace(root, args.path)
  if (!existsSync(path)) return failed(`no such file: ${args.path}`)
  const text = readFileSync(path, 'utf8')
  const [before = '', after, ...others] = text.split(String(args.old))
  if (after === undefined) return failed(`the old text does not occur in ${args.path}`)
  if (others.length > 0)
    return failed(`the old text occurs ${others.length + 1} times in ${args.path}; it must be unique`)
  const replacement = String(args.new)
  writeFileSync(path, before + replacement + after)
  const first = before.split('\n').length
  return done(`edited ${args.path}, lines ${first}-${first + replacement.split('\n').length - 1}`)
}
