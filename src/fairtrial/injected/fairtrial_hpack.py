"""Which headers a block of HTTP/2 holds (RFC 7541): the decoder alone.

Part of the sink for telemetry; standard library only, from Python 3.6 on. What is sent
back needs no encoder: literals that are not indexed are headers, too.
"""

#: RFC 7541, appendix A; only `:path` has values that matter here.
STATIC = (
    ":authority :method :method :path :path :scheme :scheme :status :status :status "
    ":status :status :status :status accept-charset accept-encoding accept-language "
    "accept-ranges accept access-control-allow-origin age allow authorization "
    "cache-control content-disposition content-encoding content-language content-length "
    "content-location content-range content-type cookie date etag expect expires from "
    "host if-match if-modified-since if-none-match if-range if-unmodified-since "
    "last-modified link location max-forwards proxy-authenticate proxy-authorization "
    "range referer refresh retry-after server set-cookie strict-transport-security "
    "transfer-encoding user-agent vary via www-authenticate"
).split()
#: RFC 7541, appendix B: the length of each byte's code, as a letter 48 above it. The
#: codes themselves follow: they are counted up, by length and then by byte.
LENGTHS = (
    "=GLLLLLLLHNLLNLLLLLLLLNLLLLLLLLL6::<=68;::8;8666555666666678?6<:=677777777777777"
    "77777777878=C=>6?56565666577666567655677777?;>=LDFDDFFFGFGGGGGHGHHFGHGGGGEFGFGGH"
    "FEDFFGGEGFFHEFGGEEFEGFGGDFFFGFFGJJDCFGFIJJJKKJHICEJKKJKHEEJJLKKKDHDEFEEGFFIIHHJG"
    "JKJJKKKKKLKKKKKJN"
)
TABLE = 4096
_MOST = 200


class Broken(ValueError):
    """A block that no encoder makes."""


def codes(lengths):
    """(length, code) to byte."""
    found, code, last = {}, 0, 0
    for byte in sorted(range(len(lengths)), key=lambda each: (lengths[each], each)):
        code <<= lengths[byte] - last
        last = lengths[byte]
        found[last, code] = byte
        code += 1
    return found


_CODES = codes([ord(each) - 48 for each in LENGTHS])


def plain(data):
    """The text of a string in Huffman's code."""
    text, code, length = bytearray(), 0, 0
    for byte in data:
        for shift in range(7, -1, -1):
            code, length = code << 1 | (byte >> shift & 1), length + 1
            found = _CODES.get((length, code))
            if found is not None:
                if found > 255:
                    raise Broken("an end within a string")
                text.append(found)
                code = length = 0
            elif length > 30:
                raise Broken("no code is that long")
    return bytes(text)


class Decoder:
    """The headers of one connection's blocks, one after the other."""

    def __init__(self):
        self.entries, self.size, self.limit = [], 0, TABLE

    def decode(self, block):
        """(name, value) of each header, as bytes."""
        found, at = [], 0
        while at < len(block):
            first = block[at]
            if first & 0x80:
                index, at = number(block, at, 7)
                found.append(self.entry(index))
            elif first & 0xE0 == 0x20:
                limit, at = number(block, at, 5)
                if limit > TABLE:
                    raise Broken("a larger table than was allowed")
                self.limit = limit
                self.shrink()
            else:
                indexed = first & 0x40
                index, at = number(block, at, 6 if indexed else 4)
                if index:
                    name = self.entry(index)[0]
                else:
                    name, at = string(block, at)
                value, at = string(block, at)
                found.append((name, value))
                if indexed:
                    self.entries.insert(0, (name, value))
                    self.size += len(name) + len(value) + 32
                    self.shrink()
            if len(found) > _MOST:
                raise Broken("too many headers")
        return found

    def entry(self, index):
        if 0 < index <= len(STATIC):
            value = {4: b"/", 5: b"/index.html"}.get(index, b"")
            return STATIC[index - 1].encode("ascii"), value
        index -= len(STATIC) + 1
        if not 0 <= index < len(self.entries):
            raise Broken("an entry that is not there")
        return self.entries[index]

    def shrink(self):
        while self.size > self.limit:
            name, value = self.entries.pop()
            self.size -= len(name) + len(value) + 32


def number(block, at, bits):
    """A number whose first bits share a byte, and where it ends."""
    most = (1 << bits) - 1
    if at >= len(block):
        raise Broken("it ends too early")
    value, at = block[at] & most, at + 1
    if value < most:
        return value, at
    for shift in range(0, 28, 7):
        if at >= len(block):
            raise Broken("it ends too early")
        byte, at = block[at], at + 1
        value += (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise Broken("a number that is too large")


def string(block, at):
    length, after = number(block, at, 7)
    if after + length > len(block):
        raise Broken("it ends too early")
    data = block[after : after + length]
    return (plain(data) if block[at] & 0x80 else data), after + length
