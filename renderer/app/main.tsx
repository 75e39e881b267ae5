import './strict-page.ts'
import { startLanguage } from './language.ts'

await startLanguage(localStorage, navigator.languages)
await import('./window.tsx')
