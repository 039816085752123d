import { useMemo } from 'react'
import { formatAmount } from '../format.ts'
import { type DiffPart, diffVersions } from './diff-versions.ts'
import { renderPiece } from './plain-text.tsx'
import { cutText } from './text-pieces.ts'
import classes from './ui.module.css'
import { isFound } from './use-message-search.ts'

interface VersionDiffProps {
  readonly before: string
  readonly after: string
  readonly pattern?: RegExp | null
}

export function VersionDiff({ before, after, pattern = null }: VersionDiffProps) {
  const parts = useMemo(() => diffVersions(before, after), [before, after])
  if (!parts)
    return <p className="quiet">The two versions have too little in common to set them side by side.</p>
  return (
    <pre className={classes.diff} data-testid="version-diff">
      {parts.map((part, place) => (
        <DiffLines key={place} part={part} pattern={pattern} />
      ))}
    </pre>
  )
}

interface DiffLinesProps {
  readonly part: DiffPart
  readonly pattern: RegExp | null
}

export function DiffLines({ part, pattern }: DiffLinesProps) {
  if (part.type === 'left out' && !isFound(part.text, pattern))
    return (
      <span className={classes.leftOut}>
        {formatAmount(part.lines, 'line')} as before{'\n'}
      </span>
    )
  const pieces = cutText(part.text, 0, part.text.length, pattern).pieces.map(renderPiece)
  if (part.type === 'same' || part.type === 'left out') return <span>{pieces}</span>
  return part.type === 'added' ? <ins>{pieces}</ins> : <del>{pieces}</del>
}
