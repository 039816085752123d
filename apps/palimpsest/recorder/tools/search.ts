import { existsSync, readFileSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { done, failed, type Tool } from './tool.ts'
import { inWorkspace, listFiles } from './workspace-files.ts'

/** Lists every line that a regular expression matches, as `path:line: text`. */
export const search: Tool = (root, args) => {
  const start = inWorkspace(root, args.path ?? '.')
  if (!existsSync(start)) return failed(`no such file or folder: ${args.path}`)
  const paths = statSync(start).isDirectory() ? listFiles(root, start) : [relative(root, start)]
  const pattern = new RegExp(String(args.pattern))
  const hits: string[] = []
  const files = new Set<string>()
  for (const path of paths) {
    const lines = readFileSync(inWorkspace(root, path), 'utf8').split('\n')
    for (const [index, line] of lines.entries()) {
      if (!pattern.test(line)) continue
      hits.push(`${path}:${index + 1}: ${line.trim()}`)
      files.add(path)
    }
  }
  return done(
    hits.length === 0 ? 'no matches' : [...hits, `${hits.length} matches in ${files.size} files`].join('\n'),
  )
}
