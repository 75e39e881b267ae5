// Prints the path of the browser that the tests of the page use, installing Debian's where there is none and it may.
import { getBrowser } from './browser.ts'

try {
  process.stdout.write(`${getBrowser()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 69
}
