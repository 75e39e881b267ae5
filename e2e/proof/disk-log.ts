import { readFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'

/** Bytes of a file; `file` is its number, which stays where its name changes. */
export interface Written {
  readonly kind: 'written'
  readonly file: number
  /** Offset in the file. */
  readonly from: number
  readonly bytes: Buffer
}

/** A file made shorter, or longer by zeros. */
export interface Cut {
  readonly kind: 'cut'
  readonly file: number
  readonly length: number
}

/** A name that was given (to a file, or to a folder where `file` is left out) or taken away; a rename is both at once. */
export interface Named {
  readonly kind: 'named'
  readonly given?: { readonly path: string; readonly file?: number }
  readonly taken?: string
}

/** What was done before a flush began is on the disk once it has ended: bytes of a file, or names in a folder. */
export interface Flushed {
  readonly kind: 'flushed'
  readonly what: { readonly file: number } | { readonly folder: string }
  /** When it began. */
  readonly since: number
}

/** Bytes that left the program: what others may know from now on. */
export interface Said {
  readonly kind: 'said'
  readonly to: 'network' | 'terminal'
  readonly text: string
}

/** One step of a recording; `at` grows. Paths are relative to the recorded folder, which is ''. */
export type Step = (Written | Cut | Named | Flushed | Said) & { readonly at: number }

/** Calls that change files, or send. */
const watched = [
  'open openat creat close socket lseek dup dup2 dup3 write writev pwrite64 pwritev pwritev2 sendto sendmsg',
  'ftruncate truncate fallocate copy_file_range sendfile fsync fdatasync link linkat symlink symlinkat',
  'rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir',
].flatMap((names) => names.split(' '))

/** The command under which a program's calls are recorded, every byte of them. */
export function recorder(log: string): readonly string[] {
  // A question mark: not every kind of processor has every call.
  const calls = watched.map((name) => `?${name}`).join(',')
  const whole = ['-xx', '-v', '-s', '16777216', '-e', 'signal=none', '-e', `trace=${calls}`]
  return ['strace', '-f', '--seccomp-bpf', '-qq', ...whole, '-o', log]
}

/** A call of the system; `begun` and `ended` are lines of the recording. */
interface Call {
  readonly name: string
  readonly args: string
  readonly result: number
  readonly begun: number
  readonly ended: number
}

const unfinished = ' <unfinished ...>'

function callsOf(trace: string): Call[] {
  const open = new Map<string, { readonly said: string; readonly begun: number }>()
  return trace.split('\n').flatMap((line, ended): Call[] => {
    if (line === '') return []
    const [pid = '', first = ''] = line.split(/ +/, 1)
    const rest = line.slice(pid.length).trimStart()
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest || first)
    const earlier = resumed ? open.get(pid) : undefined
    const said = earlier ? earlier.said + rest.slice(resumed![0].length) : rest
    const begun = earlier?.begun ?? ended
    if (said.endsWith(unfinished)) {
      open.set(pid, { said: said.slice(0, -unfinished.length), begun })
      return []
    }
    const [, name, args, result] = /^(\w+)\((.*)\) += (-?\d+|\?)/.exec(said) ?? []
    if (name === undefined)
      throw new Error(`A line of the recording is not understood: ${line.slice(0, 200)}`)
    return [{ name, args: args!, result: Number(result), begun, ended }]
  })
}

function stringsOf({ name, args }: Call): Buffer[] {
  return [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g)].map(([, digits, more]) => {
    if (more !== undefined) throw new Error(`The recording of ${name} is not whole.`)
    return Buffer.from(digits!.replaceAll('\\x', ''), 'hex')
  })
}

/** Arguments without what stands in strings and lists. */
function plainArgs({ args }: Call): string[] {
  return args.replaceAll(/"[^"]*"|\[.*\]/g, '').split(', ')
}

type Opened =
  | { readonly what: 'file'; readonly file: number; position: number; readonly atEnd: boolean }
  | { readonly what: 'folder'; readonly folder: string }
  | { readonly what: 'network' | 'terminal' }

/** Reads what `recorder` wrote of processes that worked on one folder, one after another. */
export class DiskLog {
  readonly #root: string
  readonly #files = new Map<string, number>()
  readonly #folders: Set<string>
  /** Lengths of files, by number. */
  readonly #lengths: number[] = []
  #opened = new Map<number, Opened>()
  #steps: Step[] = []
  #past = 0

  /**
   * @param root the folder that counts; absolute, and no link
   * @param folders all that it had in it, relative
   */
  constructor(root: string, folders: readonly string[]) {
    this.#root = root
    this.#folders = new Set(['', ...folders])
  }

  /** The steps of a further process. @throws Error where a call is not understood */
  read(log: string): Step[] {
    const calls = callsOf(readFileSync(log, 'utf8'))
    this.#steps = []
    this.#opened = new Map([1, 2].map((fd) => [fd, { what: 'terminal' }]))
    // A handle is free, and may be given to another file, from the moment in which its closing begins.
    const when = ({ name, begun, ended }: Call) => (name === 'close' ? begun : ended)
    for (const call of calls.sort((a, b) => when(a) - when(b))) if (!(call.result < 0)) this.#take(call)
    this.#past += (calls.at(-1)?.ended ?? 0) + 1
    // What was sent may have arrived as soon as its sending began.
    return this.#steps.sort((a, b) => a.at - b.at)
  }

  #take(call: Call) {
    const handle = Number(plainArgs(call)[0])
    switch (call.name) {
      case 'open':
      case 'openat':
      case 'creat':
        this.#open(call)
        return
      case 'socket':
        this.#opened.set(call.result, { what: 'network' })
        return
      case 'dup':
      case 'dup2':
      case 'dup3': {
        const same = this.#opened.get(handle)
        if (same) this.#opened.set(call.result, same)
        else this.#opened.delete(call.result)
        return
      }
      case 'close':
        this.#opened.delete(handle)
        return
      case 'link':
      case 'linkat':
      case 'rename':
      case 'renameat':
      case 'renameat2':
      case 'symlink':
      case 'symlinkat':
      case 'unlink':
      case 'unlinkat':
      case 'rmdir':
      case 'mkdir':
      case 'mkdirat':
      case 'truncate':
        this.#rename(call)
        return
      default:
        this.#use(call, this.#opened.get(handle))
    }
  }

  #open(call: Call) {
    const fd = call.result
    const path = this.#inside(call)[0]
    this.#opened.delete(fd)
    if (path === undefined) return
    if (this.#folders.has(path)) {
      this.#opened.set(fd, { what: 'folder', folder: path })
      return
    }
    let file = this.#files.get(path)
    if (file === undefined) {
      file = this.#lengths.push(0) - 1
      this.#give(call, path, file)
    }
    if (/O_TRUNC/.test(call.args) && this.#lengths[file]! > 0) this.#cut(call, file, 0)
    this.#opened.set(fd, { what: 'file', file, position: 0, atEnd: /O_APPEND/.test(call.args) })
  }

  #use(call: Call, opened: Opened | undefined) {
    if (!opened) return
    if (opened.what === 'folder') {
      if (call.name.endsWith('sync')) this.#flushed(call, { folder: opened.folder })
    } else if (opened.what !== 'file') {
      const text = Buffer.concat(stringsOf(call)).toString('utf8')
      if (text !== '') this.#steps.push({ kind: 'said', to: opened.what, text, at: this.#past + call.begun })
    } else this.#change(call, opened)
  }

  #change(call: Call, opened: Extract<Opened, { what: 'file' }>) {
    const { file } = opened
    switch (call.name) {
      case 'lseek':
        opened.position = call.result
        return
      case 'write':
      case 'writev':
        if (opened.atEnd) opened.position = this.#lengths[file]!
        this.#written(call, file, opened.position)
        opened.position += call.result
        return
      case 'pwrite64':
      case 'pwritev':
        this.#written(call, file, Number(plainArgs(call).at(-1)))
        return
      case 'ftruncate':
        this.#cut(call, file, Number(plainArgs(call)[1]))
        return
      case 'fsync':
      case 'fdatasync':
        this.#flushed(call, { file })
        return
      default:
        throw new Error(`The recording has a call that is not foreseen: ${call.name}`)
    }
  }

  /** Calls that work with paths. */
  #rename(call: Call) {
    const [from, to] = this.#inside(call)
    const { name } = call
    if (from === undefined && to === undefined) return
    if (name.startsWith('mkdir')) {
      this.#folders.add(from!)
      this.#push(call, { kind: 'named', given: { path: from! } })
      return
    }
    const file = this.#files.get(from ?? '')
    if (from === undefined || file === undefined) throw new Error(`${name} of what is not known: ${from}`)
    if (name.startsWith('unlink')) {
      this.#files.delete(from)
      this.#push(call, { kind: 'named', taken: from })
    } else if (to !== undefined && name.startsWith('link')) this.#give(call, to, file)
    else if (to !== undefined && name.startsWith('rename')) {
      this.#files.delete(from)
      this.#give(call, to, file, from)
    } else throw new Error(`The recording has a call that is not foreseen: ${name} ${from}`)
  }

  #give(call: Call, path: string, file: number, taken?: string) {
    this.#files.set(path, file)
    this.#push(call, { kind: 'named', given: { path, file }, ...(taken === undefined ? {} : { taken }) })
  }

  #written(call: Call, file: number, from: number) {
    const bytes = Buffer.concat(stringsOf(call)).subarray(0, call.result)
    this.#lengths[file] = Math.max(this.#lengths[file]!, from + bytes.length)
    this.#push(call, { kind: 'written', file, from, bytes })
  }

  #cut(call: Call, file: number, length: number) {
    this.#lengths[file] = length
    this.#push(call, { kind: 'cut', file, length })
  }

  #flushed(call: Call, what: Flushed['what']) {
    this.#push(call, { kind: 'flushed', what, since: this.#past + call.begun })
  }

  #push(call: Call, step: Written | Cut | Named | Flushed) {
    this.#steps.push({ ...step, at: this.#past + call.ended })
  }

  /** Its paths, where they lie in the folder that counts. SQLite's shared memory does not: it is made anew by each start. */
  #inside(call: Call): (string | undefined)[] {
    return stringsOf(call).map((bytes) => {
      const path = relative(this.#root, resolve(this.#root, bytes.toString('utf8')))
      const counts = path !== '..' && !path.startsWith(`..${sep}`) && !path.endsWith('-shm')
      return counts ? path : undefined
    })
  }
}
