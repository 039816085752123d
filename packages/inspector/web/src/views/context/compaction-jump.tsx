import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { ViewCompaction } from '../../../../src/view/session-view.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { LeftIcon, RightIcon } from '../../ui/icons.tsx'

interface CompactionJumpProps {
  readonly compactions: readonly ViewCompaction[]
  readonly request: number
  readonly count: number
  readonly onGo: (request: number) => void
}

export function CompactionJump({ compactions, request, count, onGo }: CompactionJumpProps) {
  const places = useMemo(
    () => compactions.map((made) => made.request).filter((place) => place < count),
    [compactions, count],
  )
  const before = places.findLast((place) => place < request)
  const after = places.find((place) => place > request)
  useKeys(['[', ']'], (key) => {
    const to = key === '[' ? before : after
    if (to !== undefined) onGo(to)
  })
  if (places.length === 0) return null
  const jump = (where: 'before' | 'after', to: number | undefined) => (
    <Button
      size="compact-sm"
      variant="default"
      disabled={to === undefined}
      onClick={() => to !== undefined && onGo(to)}
      aria-label={`The compaction ${where}`}
      aria-keyshortcuts={where === 'before' ? '[' : ']'}
    >
      {where === 'before' ? <LeftIcon /> : <RightIcon />}
    </Button>
  )
  return (
    <Button.Group aria-label="Compactions">
      {jump('before', before)}
      <Button.GroupSection size="compact-sm" variant="default" fw={400}>
        Compaction
      </Button.GroupSection>
      {jump('after', after)}
    </Button.Group>
  )
}
