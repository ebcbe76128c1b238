/** Makes test plug-ins fetch what runs tests; nothing is in it. */
public class FairtrialProbeIT {}
