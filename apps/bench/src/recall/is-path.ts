/** Folders that projects and systems have: two plain words with one of them in front are a path, others may be prose. */
const FOLDERS =
  /^(?:app|apps|assets|bench|bin|build|client|cmd|components?|config|crates|deps|dist|docs?|e2e|etc|examples?|fixtures?|home|include|internal|lib|libs|migrations|modules|node_modules|opt|packages|pages|pkg|plugins|priv|public|scripts?|server|services|spec|src|static|styles|target|templates|test|tests|tmp|tools|usr|utils|var|vendor|web)$/

const ROOTED = /^(?:~|\.{1,2}|@|\$\w+)?\//
const EXTENSION = /\w\.[A-Za-z]\w{0,9}$/
/** A capital after a small letter, or two parts joined by a dot, hyphen or underscore. */
const COMPOUND = /[a-z0-9][A-Z]|[A-Za-z0-9][._-][A-Za-z]/

/**
 * True for a run of path characters that is a path and not a fraction (`1/2`), a choice (`and/or`), a rate (`km/h`), or the
 * end of a regular expression (`m/g`): rooted, or with an extension, or in a scope, or of plausible segments.
 */
export function isPath(run: string): boolean {
  if (!run.includes('/') || run.includes('//')) return false
  const segments = run.split('/').filter((segment) => !/^[.~@]*$/.test(segment))
  const last = segments.at(-1) ?? ''
  if (last.length < 2 || !segments.some((segment) => /[A-Za-z]{2}/.test(segment))) return false
  if (ROOTED.test(run) || EXTENSION.test(last)) return true
  if (segments.length < 2 || !segments.every((segment) => /[A-Za-z]/.test(segment) && segment.length > 1))
    return false
  return (
    run.startsWith('@') ||
    segments.length > 2 ||
    FOLDERS.test(segments[0] ?? '') ||
    segments.some((segment) => COMPOUND.test(segment))
  )
}
