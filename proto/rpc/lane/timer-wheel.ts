/**
 * Deadlines of many calls for the price of one timer: each is hung into the slot of its tick and taken out in constant
 * time, so that a call that is answered leaves nothing behind. A deadline is up to one tick late, never early.
 */
export class TimerWheel {
  readonly #slots: Slot[] = Array.from({ length: slotCount }, () => new Slot());
  #timer: NodeJS.Timeout | null = null;
  /** Ticks up to this one have been looked at. */
  #tick = 0;
  #size = 0;
  #idleTicks = 0;

  /** Whether its timer runs: it stops after a second without entries. */
  get isTurning(): boolean {
    return this.#timer !== null;
  }

  add(entry: WheelEntry, afterMs: number): void {
    if (this.#timer === null) this.#start();
    entry.dueTick = Math.floor((performance.now() + afterMs) / tickMs) + 1;
    const slot = this.#slots[entry.dueTick & slotMask];
    if (slot === undefined) throw new TypeError(`no slot for a deadline in ${afterMs} ms`);
    entry.hangBefore(slot);
    this.#size += 1;
  }

  remove(entry: WheelEntry): void {
    if (entry.unhang()) this.#size -= 1;
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #start(): void {
    this.#tick = Math.floor(performance.now() / tickMs);
    this.#idleTicks = 0;
    this.#timer = setInterval(() => this.#turn(), tickMs).unref();
  }

  #turn(): void {
    const now = Math.floor(performance.now() / tickMs);
    // After a stall of more than one round every slot is looked at once.
    const first = Math.max(this.#tick + 1, now - slotCount + 1);
    for (let tick = first; tick <= now; tick += 1) this.#expire(tick & slotMask, now);
    this.#tick = Math.max(this.#tick, now);
    this.#idleTicks = this.#size === 0 ? this.#idleTicks + 1 : 0;
    if (this.#idleTicks > idleTicksMax) this.close();
  }

  #expire(index: number, now: number): void {
    const slot = this.#slots[index];
    const due: WheelEntry[] = [];
    for (let entry = slot?.next; entry !== undefined && entry !== slot; entry = entry.next) if (entry.dueTick <= now) due.push(entry);
    for (const entry of due) {
      // One that expires may take others off the wheel.
      if (!entry.unhang()) continue;
      this.#size -= 1;
      entry.expire();
    }
  }
}

/** What hangs in a wheel: a link of a ring, alone when it hangs nowhere. */
export abstract class WheelEntry {
  next: WheelEntry = this;
  #previous: WheelEntry = this;
  dueTick = 0;

  /** The deadline has passed; the entry hangs no longer. */
  abstract expire(): void;

  hangBefore(ring: WheelEntry): void {
    this.next = ring;
    this.#previous = ring.#previous;
    ring.#previous.next = this;
    ring.#previous = this;
  }

  /** False when it hung nowhere. */
  unhang(): boolean {
    if (this.next === this) return false;
    this.#previous.next = this.next;
    this.next.#previous = this.#previous;
    this.next = this;
    this.#previous = this;
    return true;
  }
}

class Slot extends WheelEntry {
  override expire(): void {}
}

const tickMs = 20;
const slotCount = 1024;
const slotMask = slotCount - 1;
const idleTicksMax = 50;
