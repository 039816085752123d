// The styles of the components that the page uses, and of those that these are made of; all of them are twice as large.
// In the library's own order: a later one may take an earlier one's place.
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/VisuallyHidden.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/Text.css'
import '@mantine/core/styles/AppShell.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/CheckboxIndicator.css'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/Badge.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/Chip.css'
import '@mantine/core/styles/Kbd.css'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/NumberInput.css'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/Progress.css'
import '@mantine/core/styles/Tooltip.css'
import '@mantine/core/styles/SegmentedControl.css'
import '@mantine/core/styles/Slider.css'
import '@mantine/core/styles/Stack.css'
import '@mantine/core/styles/Switch.css'
import '@mantine/core/styles/Table.css'
import '@mantine/core/styles/Tabs.css'
import '@mantine/core/styles/Title.css'
import '@mantine/core/styles/Tree.css'
import './page.css'
import { createTheme, type MantineColorsTuple, MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { ErrorBoundary } from './shell/notice.tsx'

const dark: MantineColorsTuple = [
  '#e6e8ec',
  '#c3c7ce',
  '#9aa0aa',
  '#747b86',
  '#3d434d',
  '#2d323a',
  '#22262d',
  '#171a1f',
  '#121418',
  '#0c0e11',
]

const theme = createTheme({
  colors: { dark },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
})

const parts = [...document.querySelectorAll('.palimpsest-part')]
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <ErrorBoundary>
        <App embedded={document.getElementById('palimpsest-data')?.textContent ?? null} parts={parts} />
      </ErrorBoundary>
    </MantineProvider>,
  )

// The styles of the components that the page uses, and of those that these are made of; all of them are twice as large.
// In the library's own order: a later one may take an earlier one's place.
