/** Forms that no rule gives, by their base. */
const IRREGULAR: Readonly<Record<string, readonly string[]>> = {
  be: ['is', 'are', 'been', 'being'],
  build: ['builds', 'building', 'built'],
  choose: ['chooses', 'choosing', 'chose', 'chosen'],
  come: ['comes', 'coming'],
  cut: ['cuts', 'cutting'],
  do: ['does', 'doing', 'done'],
  draw: ['draws', 'drawing', 'drawn'],
  get: ['gets', 'getting'],
  give: ['gives', 'giving', 'given'],
  go: ['goes', 'going'],
  grow: ['grows', 'growing', 'grown'],
  have: ['has', 'having'],
  hold: ['holds', 'holding', 'held'],
  keep: ['keeps', 'keeping', 'kept'],
  leave: ['leaves', 'leaving', 'left'],
  make: ['makes', 'making', 'made'],
  put: ['puts', 'putting'],
  read: ['reads', 'reading'],
  rewrite: ['rewrites', 'rewriting', 'rewritten'],
  run: ['runs', 'running'],
  send: ['sends', 'sending', 'sent'],
  set: ['sets', 'setting'],
  shrink: ['shrinks', 'shrinking', 'shrunk'],
  sit: ['sits', 'sitting'],
  speak: ['speaks', 'speaking', 'spoken'],
  split: ['splits', 'splitting'],
  take: ['takes', 'taking', 'taken'],
  write: ['writes', 'writing', 'written'],
}
const DOUBLES = /^(?:[^aeiou]*[aeiou][bdgmnpt]|debug|commit)$/

/** An English verb in all of its forms. */
export function formsOf(verb: string): string[] {
  const irregular = IRREGULAR[verb]
  if (irregular !== undefined) return [verb, ...irregular]
  if (/[^aeiou]y$/.test(verb)) {
    const stem = verb.slice(0, -1)
    return [verb, `${stem}ies`, `${stem}ied`, `${verb}ing`]
  }
  const third = /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`
  if (verb.endsWith('e')) return [verb, third, `${verb}d`, `${verb.slice(0, -1)}ing`]
  const stem = DOUBLES.test(verb) ? `${verb}${verb.at(-1)}` : verb
  return [verb, third, `${stem}ed`, `${stem}ing`]
}

/** Verbs, separated by white space, in all of their forms, as alternatives of a pattern. */
export function anyFormOf(verbs: string): string {
  return `(?:${verbs
    .trim()
    .split(/\s+/)
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length)
    .join('|')})`
}
