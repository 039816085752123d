import { ActionIcon, NumberInput, Slider } from '@mantine/core'
import { formatCount } from '../format.ts'
import { useKeys } from '../shell/use-keys.ts'
import { LeftIcon, RightIcon } from '../ui/icons.tsx'
import classes from './views.module.css'

interface RequestPickerProps {
  readonly request: number
  readonly count: number
  readonly onChange: (request: number) => void
}

export function RequestPicker({ request, count, onChange }: RequestPickerProps) {
  const move = (to: number) => {
    const next = Math.max(0, Math.min(count - 1, to))
    if (next !== request) onChange(next)
  }
  useKeys(['ArrowLeft', 'ArrowRight'], (key) => move(request + (key === 'ArrowLeft' ? -1 : 1)))
  const step = (where: 'before' | 'after', by: 1 | -1) => (
    <ActionIcon
      variant="default"
      aria-label={`The request ${where}`}
      disabled={request + by < 0 || request + by >= count}
      onClick={() => move(request + by)}
    >
      {by < 0 ? <LeftIcon /> : <RightIcon />}
    </ActionIcon>
  )
  return (
    <div className={classes.picker}>
      {step('before', -1)}
      <NumberInput
        aria-label="Request"
        size="xs"
        className={classes.pickerNumber}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        value={request + 1}
        min={1}
        max={count}
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1) move(value - 1)
        }}
        data-testid="request-number"
      />
      <span className={classes.quiet}>of {formatCount(count)}</span>
      {step('after', 1)}
      <Slider
        className={classes.pickerSlider}
        size="sm"
        label={null}
        thumbLabel="Request"
        min={1}
        max={Math.max(count, 2)}
        disabled={count === 1}
        value={request + 1}
        onChange={(value) => move(value - 1)}
      />
    </div>
  )
}
