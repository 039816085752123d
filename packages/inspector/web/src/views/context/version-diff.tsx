import { useMemo } from 'react'
import { formatAmount } from '../../format.ts'
import classes from './context.module.css'
import { type DiffPart, diffVersions } from './diff-versions.ts'

export function VersionDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => diffVersions(before, after), [before, after])
  if (!parts)
    return (
      <p className={classes.note}>The two versions have too little in common to set them side by side.</p>
    )
  return (
    <pre className={classes.diff} data-testid="version-diff">
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and never move
        <DiffLines key={place} part={part} />
      ))}
    </pre>
  )
}

function DiffLines({ part }: { readonly part: DiffPart }) {
  switch (part.type) {
    case 'added':
      return <ins>{part.text}</ins>
    case 'removed':
      return <del>{part.text}</del>
    case 'same':
      return <span>{part.text}</span>
    case 'left out':
      return (
        <span className={classes.leftOut}>
          {formatAmount(part.lines, 'line')} as before{'\n'}
        </span>
      )
  }
}
