/** The share of the paths that a folder must hold to be left out of their names. */
const LEAST_SHARE = 0.7
/** A shorter folder is not worth a line. */
const LEAST_CHARACTERS = 12

/** The deepest folder that holds most of some absolute paths, with its slash; empty when there is none worth naming. */
export function commonFolder(paths: readonly string[]): string {
  const least = paths.length * LEAST_SHARE
  let folder = paths.length < 2 ? '' : '/'
  for (;;) {
    const next = mostNamed(paths, folder)
    if (next === undefined || next.count < least) break
    folder = next.folder
  }
  return folder.length < LEAST_CHARACTERS ? '' : folder
}

/** The folder in a folder that holds the most of the paths. */
function mostNamed(
  paths: readonly string[],
  folder: string,
): { readonly folder: string; readonly count: number } | undefined {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (folder === '' || !path.startsWith(folder)) continue
    const slash = path.indexOf('/', folder.length)
    if (slash === -1) continue
    const inside = path.slice(0, slash + 1)
    counts.set(inside, (counts.get(inside) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  return first && { folder: first[0], count: first[1] }
}
