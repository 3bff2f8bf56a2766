// Written by `npm run fetch:zero-values` from the Go types of Kubernetes 1.36. Do not edit.

/**
 * The fields of which the API server does not return a zero value, by kind and by type. It omits `name?`, and makes an
 * empty `name!` null. The content of `name:Type` has that type, and each item or entry of `name:Type*`. Fields that it
 * returns as they are, such as pointers, are not in the list.
 */
export const zeroValues = `
/ComponentStatus metadata:meta.ObjectMeta conditions?:core.ComponentCondition*
/ConfigMap metadata:meta.ObjectMeta data? binaryData?
/Endpoints metadata:meta.ObjectMeta subsets?:core.EndpointSubset*
/Event metadata:meta.ObjectMeta involvedObject:core.ObjectReference reason? message? source:core.EventSource count? type? series:core.EventSeries action? related:core.ObjectReference
/LimitRange metadata:meta.ObjectMeta spec:core.LimitRangeSpec
/Namespace metadata:meta.ObjectMeta spec:core.NamespaceSpec
/Node metadata:meta.ObjectMeta spec:core.NodeSpec
/PersistentVolume metadata:meta.ObjectMeta spec:core.PersistentVolumeSpec
/PersistentVolumeClaim metadata:meta.ObjectMeta spec:core.PersistentVolumeClaimSpec
/Pod metadata:meta.ObjectMeta spec:core.PodSpec
/PodTemplate metadata:meta.ObjectMeta template:core.PodTemplateSpec
/ReplicationController metadata:meta.ObjectMeta spec:core.ReplicationControllerSpec
/ResourceQuota metadata:meta.ObjectMeta spec:core.ResourceQuotaSpec
/Secret metadata:meta.ObjectMeta data? stringData? type?
/Service metadata:meta.ObjectMeta spec:core.ServiceSpec
/ServiceAccount metadata:meta.ObjectMeta secrets?:core.ObjectReference* imagePullSecrets?:core.LocalObjectReference*
admissionregistration.k8s.io/MutatingAdmissionPolicy metadata:meta.ObjectMeta spec:admissionregistration.MutatingAdmissionPolicySpec
admissionregistration.k8s.io/MutatingAdmissionPolicyBinding metadata:meta.ObjectMeta spec:admissionregistration.MutatingAdmissionPolicyBindingSpec
admissionregistration.k8s.io/MutatingWebhookConfiguration metadata:meta.ObjectMeta webhooks?:admissionregistration.MutatingWebhook*
admissionregistration.k8s.io/ValidatingAdmissionPolicy metadata:meta.ObjectMeta spec:admissionregistration.ValidatingAdmissionPolicySpec
admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding metadata:meta.ObjectMeta spec:admissionregistration.ValidatingAdmissionPolicyBindingSpec
admissionregistration.k8s.io/ValidatingWebhookConfiguration metadata:meta.ObjectMeta webhooks?:admissionregistration.ValidatingWebhook*
apiextensions.k8s.io/CustomResourceDefinition metadata:meta.ObjectMeta spec:apiextensions.CustomResourceDefinitionSpec
apiregistration.k8s.io/APIService metadata:meta.ObjectMeta spec:apiregistration.APIServiceSpec
apps/ControllerRevision metadata:meta.ObjectMeta
apps/DaemonSet metadata:meta.ObjectMeta spec:apps.DaemonSetSpec
apps/Deployment metadata:meta.ObjectMeta spec:apps.DeploymentSpec
apps/ReplicaSet metadata:meta.ObjectMeta spec:apps.ReplicaSetSpec
apps/StatefulSet metadata:meta.ObjectMeta spec:apps.StatefulSetSpec
autoscaling/HorizontalPodAutoscaler metadata:meta.ObjectMeta spec:autoscaling.HorizontalPodAutoscalerSpec
batch/CronJob metadata:meta.ObjectMeta spec:batch.CronJobSpec
batch/Job metadata:meta.ObjectMeta spec:batch.JobSpec
certificates.k8s.io/CertificateSigningRequest metadata:meta.ObjectMeta spec:certificates.CertificateSigningRequestSpec
certificates.k8s.io/ClusterTrustBundle metadata:meta.ObjectMeta spec:certificates/v1beta1.ClusterTrustBundleSpec
certificates.k8s.io/PodCertificateRequest metadata:meta.ObjectMeta spec:certificates/v1beta1.PodCertificateRequestSpec
coordination.k8s.io/Lease metadata:meta.ObjectMeta
coordination.k8s.io/LeaseCandidate metadata:meta.ObjectMeta spec:coordination/v1beta1.LeaseCandidateSpec
discovery.k8s.io/EndpointSlice metadata:meta.ObjectMeta endpoints!:discovery.Endpoint* ports!
events.k8s.io/Event metadata:meta.ObjectMeta reportingController? reportingInstance? action? reason? regarding:core.ObjectReference related:core.ObjectReference note? type? deprecatedSource:core.EventSource deprecatedCount?
flowcontrol.apiserver.k8s.io/FlowSchema metadata:meta.ObjectMeta spec:flowcontrol.FlowSchemaSpec
flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration metadata:meta.ObjectMeta
internal.apiserver.k8s.io/StorageVersion metadata:meta.ObjectMeta
networking.k8s.io/IPAddress metadata:meta.ObjectMeta spec:networking.IPAddressSpec
networking.k8s.io/Ingress metadata:meta.ObjectMeta spec:networking.IngressSpec
networking.k8s.io/IngressClass metadata:meta.ObjectMeta spec:networking.IngressClassSpec
networking.k8s.io/NetworkPolicy metadata:meta.ObjectMeta spec:networking.NetworkPolicySpec
networking.k8s.io/ServiceCIDR metadata:meta.ObjectMeta spec:networking.ServiceCIDRSpec
node.k8s.io/RuntimeClass metadata:meta.ObjectMeta overhead:node.Overhead scheduling:node.Scheduling
policy/PodDisruptionBudget metadata:meta.ObjectMeta spec:policy.PodDisruptionBudgetSpec
rbac.authorization.k8s.io/ClusterRole metadata:meta.ObjectMeta rules!:rbac.PolicyRule* aggregationRule:rbac.AggregationRule
rbac.authorization.k8s.io/ClusterRoleBinding metadata:meta.ObjectMeta subjects?:rbac.Subject*
rbac.authorization.k8s.io/Role metadata:meta.ObjectMeta rules!:rbac.PolicyRule*
rbac.authorization.k8s.io/RoleBinding metadata:meta.ObjectMeta subjects?:rbac.Subject*
resource.k8s.io/DeviceClass metadata:meta.ObjectMeta spec:resource.DeviceClassSpec
resource.k8s.io/DeviceTaintRule metadata:meta.ObjectMeta spec:resource/v1beta2.DeviceTaintRuleSpec
resource.k8s.io/ResourceClaim metadata:meta.ObjectMeta spec:resource.ResourceClaimSpec
resource.k8s.io/ResourceClaimTemplate metadata:meta.ObjectMeta spec:resource.ResourceClaimTemplateSpec
resource.k8s.io/ResourcePoolStatusRequest metadata:meta.ObjectMeta
resource.k8s.io/ResourceSlice metadata:meta.ObjectMeta spec:resource.ResourceSliceSpec
scheduling.k8s.io/PodGroup metadata:meta.ObjectMeta spec:scheduling/v1alpha2.PodGroupSpec
scheduling.k8s.io/PriorityClass metadata:meta.ObjectMeta globalDefault? description?
scheduling.k8s.io/Workload metadata:meta.ObjectMeta spec:scheduling/v1alpha2.WorkloadSpec
storage.k8s.io/CSIDriver metadata:meta.ObjectMeta spec:storage.CSIDriverSpec
storage.k8s.io/CSINode metadata:meta.ObjectMeta spec:storage.CSINodeSpec
storage.k8s.io/CSIStorageCapacity metadata:meta.ObjectMeta nodeTopology:meta.LabelSelector
storage.k8s.io/StorageClass metadata:meta.ObjectMeta parameters? mountOptions? allowedTopologies?:core.TopologySelectorTerm*
storage.k8s.io/VolumeAttachment metadata:meta.ObjectMeta spec:storage.VolumeAttachmentSpec
storage.k8s.io/VolumeAttributesClass metadata:meta.ObjectMeta parameters?
storagemigration.k8s.io/StorageVersionMigration metadata:meta.ObjectMeta
admissionregistration.ApplyConfiguration expression?
admissionregistration.JSONPatch expression?
admissionregistration.MatchResources namespaceSelector:meta.LabelSelector objectSelector:meta.LabelSelector resourceRules?:admissionregistration.NamedRuleWithOperations* excludeResourceRules?:admissionregistration.NamedRuleWithOperations*
admissionregistration.MutatingAdmissionPolicyBindingSpec policyName? paramRef:admissionregistration.ParamRef matchResources:admissionregistration.MatchResources
admissionregistration.MutatingAdmissionPolicySpec paramKind:admissionregistration.ParamKind matchConstraints:admissionregistration.MatchResources variables? mutations?:admissionregistration.Mutation* matchConditions? reinvocationPolicy?
admissionregistration.MutatingWebhook clientConfig:admissionregistration.WebhookClientConfig rules?:admissionregistration.RuleWithOperations* namespaceSelector:meta.LabelSelector objectSelector:meta.LabelSelector admissionReviewVersions! matchConditions?
admissionregistration.Mutation applyConfiguration:admissionregistration.ApplyConfiguration jsonPatch:admissionregistration.JSONPatch
admissionregistration.NamedRuleWithOperations resourceNames? operations? apiGroups? apiVersions? resources?
admissionregistration.ParamKind apiVersion? kind?
admissionregistration.ParamRef name? namespace? selector:meta.LabelSelector
admissionregistration.RuleWithOperations operations? apiGroups? apiVersions? resources?
admissionregistration.ValidatingAdmissionPolicyBindingSpec policyName? paramRef:admissionregistration.ParamRef matchResources:admissionregistration.MatchResources validationActions?
admissionregistration.ValidatingAdmissionPolicySpec paramKind:admissionregistration.ParamKind matchConstraints:admissionregistration.MatchResources validations?:admissionregistration.Validation* auditAnnotations? matchConditions? variables?
admissionregistration.ValidatingWebhook clientConfig:admissionregistration.WebhookClientConfig rules?:admissionregistration.RuleWithOperations* namespaceSelector:meta.LabelSelector objectSelector:meta.LabelSelector admissionReviewVersions! matchConditions?
admissionregistration.Validation message? messageExpression?
admissionregistration.WebhookClientConfig caBundle?
apiextensions.CustomResourceColumnDefinition format? description? priority?
apiextensions.CustomResourceConversion webhook:apiextensions.WebhookConversion
apiextensions.CustomResourceDefinitionNames singular? shortNames? listKind? categories?
apiextensions.CustomResourceDefinitionSpec names:apiextensions.CustomResourceDefinitionNames versions!:apiextensions.CustomResourceDefinitionVersion* conversion:apiextensions.CustomResourceConversion preserveUnknownFields?
apiextensions.CustomResourceDefinitionVersion deprecated? schema:apiextensions.CustomResourceValidation additionalPrinterColumns?:apiextensions.CustomResourceColumnDefinition* selectableFields?
apiextensions.CustomResourceValidation openAPIV3Schema:apiextensions.JSONSchemaProps
apiextensions.ExternalDocumentation description? url?
apiextensions.JSONSchemaProps id? $schema? description? type? format? title? exclusiveMaximum? exclusiveMinimum? pattern? uniqueItems? enum? required? allOf?:apiextensions.JSONSchemaProps* oneOf?:apiextensions.JSONSchemaProps* anyOf?:apiextensions.JSONSchemaProps* not:apiextensions.JSONSchemaProps properties?:apiextensions.JSONSchemaProps* patternProperties?:apiextensions.JSONSchemaProps* dependencies? definitions?:apiextensions.JSONSchemaProps* externalDocs:apiextensions.ExternalDocumentation nullable? x-kubernetes-embedded-resource? x-kubernetes-int-or-string? x-kubernetes-list-map-keys? x-kubernetes-validations?:apiextensions.ValidationRule*
apiextensions.ValidationRule message? messageExpression? fieldPath?
apiextensions.WebhookClientConfig caBundle?
apiextensions.WebhookConversion clientConfig:apiextensions.WebhookClientConfig conversionReviewVersions!
apiregistration.APIServiceSpec service:apiregistration.ServiceReference group? version? insecureSkipTLSVerify? caBundle?
apiregistration.ServiceReference namespace? name?
apps.DaemonSetSpec selector:meta.LabelSelector template:core.PodTemplateSpec updateStrategy:apps.DaemonSetUpdateStrategy minReadySeconds?
apps.DaemonSetUpdateStrategy type?
apps.DeploymentSpec selector:meta.LabelSelector template:core.PodTemplateSpec strategy:apps.DeploymentStrategy minReadySeconds? paused?
apps.DeploymentStrategy type?
apps.ReplicaSetSpec minReadySeconds? selector:meta.LabelSelector template:core.PodTemplateSpec
apps.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted? whenScaled?
apps.StatefulSetSpec selector:meta.LabelSelector template:core.PodTemplateSpec volumeClaimTemplates?:core.PersistentVolumeClaim* podManagementPolicy? updateStrategy:apps.StatefulSetUpdateStrategy minReadySeconds? persistentVolumeClaimRetentionPolicy:apps.StatefulSetPersistentVolumeClaimRetentionPolicy
apps.StatefulSetUpdateStrategy type?
autoscaling.CrossVersionObjectReference apiVersion?
autoscaling.ExternalMetricSource metric:autoscaling.MetricIdentifier
autoscaling.HPAScalingRules policies?
autoscaling.HorizontalPodAutoscalerBehavior scaleUp:autoscaling.HPAScalingRules scaleDown:autoscaling.HPAScalingRules
autoscaling.HorizontalPodAutoscalerSpec scaleTargetRef:autoscaling.CrossVersionObjectReference metrics?:autoscaling.MetricSpec* behavior:autoscaling.HorizontalPodAutoscalerBehavior
autoscaling.MetricIdentifier selector:meta.LabelSelector
autoscaling.MetricSpec object:autoscaling.ObjectMetricSource pods:autoscaling.PodsMetricSource external:autoscaling.ExternalMetricSource
autoscaling.ObjectMetricSource describedObject:autoscaling.CrossVersionObjectReference metric:autoscaling.MetricIdentifier
autoscaling.PodsMetricSource metric:autoscaling.MetricIdentifier
batch.CronJobSpec concurrencyPolicy? jobTemplate:batch.JobTemplateSpec
batch.JobSpec podFailurePolicy:batch.PodFailurePolicy successPolicy:batch.SuccessPolicy selector:meta.LabelSelector template:core.PodTemplateSpec
batch.JobTemplateSpec metadata:meta.ObjectMeta spec:batch.JobSpec
batch.PodFailurePolicy rules!:batch.PodFailurePolicyRule*
batch.PodFailurePolicyOnExitCodesRequirement values!
batch.PodFailurePolicyRule onExitCodes:batch.PodFailurePolicyOnExitCodesRequirement onPodConditions?
batch.SuccessPolicy rules!
certificates.CertificateSigningRequestSpec request! usages? username? uid? groups? extra?
certificates/v1beta1.ClusterTrustBundleSpec signerName?
certificates/v1beta1.PodCertificateRequestSpec pkixPublicKey! proofOfPossession! stubPKCS10Request! unverifiedUserAnnotations?
coordination/v1beta1.LeaseCandidateSpec emulationVersion? strategy?
core.AWSElasticBlockStoreVolumeSource fsType? partition? readOnly?
core.Affinity nodeAffinity:core.NodeAffinity podAffinity:core.PodAffinity podAntiAffinity:core.PodAntiAffinity
core.AzureFilePersistentVolumeSource readOnly?
core.AzureFileVolumeSource readOnly?
core.CSIPersistentVolumeSource readOnly? fsType? volumeAttributes? controllerPublishSecretRef:core.SecretReference nodeStageSecretRef:core.SecretReference nodePublishSecretRef:core.SecretReference controllerExpandSecretRef:core.SecretReference nodeExpandSecretRef:core.SecretReference
core.CSIVolumeSource volumeAttributes? nodePublishSecretRef:core.LocalObjectReference
core.Capabilities add? drop?
core.CephFSPersistentVolumeSource monitors! path? user? secretFile? secretRef:core.SecretReference readOnly?
core.CephFSVolumeSource monitors! path? user? secretFile? secretRef:core.LocalObjectReference readOnly?
core.CinderPersistentVolumeSource fsType? readOnly? secretRef:core.SecretReference
core.CinderVolumeSource fsType? readOnly? secretRef:core.LocalObjectReference
core.ClusterTrustBundleProjection labelSelector:meta.LabelSelector
core.ComponentCondition message? error?
core.ConfigMapEnvSource name?
core.ConfigMapKeySelector name?
core.ConfigMapNodeConfigSource uid? resourceVersion?
core.ConfigMapProjection name? items?
core.ConfigMapVolumeSource name? items?
core.Container image? command? args? workingDir? ports?:core.ContainerPort* envFrom?:core.EnvFromSource* env?:core.EnvVar* resources:core.ResourceRequirements resizePolicy? restartPolicyRules?:core.ContainerRestartRule* volumeMounts?:core.VolumeMount* volumeDevices? livenessProbe:core.Probe readinessProbe:core.Probe startupProbe:core.Probe lifecycle:core.Lifecycle terminationMessagePath? terminationMessagePolicy? imagePullPolicy? securityContext:core.SecurityContext stdin? stdinOnce? tty?
core.ContainerPort name? hostPort? protocol? hostIP?
core.ContainerRestartRule action? exitCodes:core.ContainerRestartRuleOnExitCodes
core.ContainerRestartRuleOnExitCodes operator? values?
core.DownwardAPIProjection items?:core.DownwardAPIVolumeFile*
core.DownwardAPIVolumeFile fieldRef:core.ObjectFieldSelector resourceFieldRef:core.ResourceFieldSelector
core.DownwardAPIVolumeSource items?:core.DownwardAPIVolumeFile*
core.EmptyDirVolumeSource medium?
core.EndpointAddress hostname? targetRef:core.ObjectReference
core.EndpointPort name? protocol?
core.EndpointSubset addresses?:core.EndpointAddress* notReadyAddresses?:core.EndpointAddress* ports?:core.EndpointPort*
core.EnvFromSource prefix? configMapRef:core.ConfigMapEnvSource secretRef:core.SecretEnvSource
core.EnvVar value? valueFrom:core.EnvVarSource
core.EnvVarSource fieldRef:core.ObjectFieldSelector resourceFieldRef:core.ResourceFieldSelector configMapKeyRef:core.ConfigMapKeySelector secretKeyRef:core.SecretKeySelector
core.EphemeralContainer image? command? args? workingDir? ports?:core.ContainerPort* envFrom?:core.EnvFromSource* env?:core.EnvVar* resources:core.ResourceRequirements resizePolicy? restartPolicyRules?:core.ContainerRestartRule* volumeMounts?:core.VolumeMount* volumeDevices? livenessProbe:core.Probe readinessProbe:core.Probe startupProbe:core.Probe lifecycle:core.Lifecycle terminationMessagePath? terminationMessagePolicy? imagePullPolicy? securityContext:core.SecurityContext stdin? stdinOnce? tty? targetContainerName?
core.EphemeralVolumeSource volumeClaimTemplate:core.PersistentVolumeClaimTemplate
core.EventSeries count?
core.EventSource component? host?
core.ExecAction command?
core.FCVolumeSource targetWWNs? fsType? readOnly? wwids?
core.FlexPersistentVolumeSource fsType? secretRef:core.SecretReference readOnly? options?
core.FlexVolumeSource fsType? secretRef:core.LocalObjectReference readOnly? options?
core.FlockerVolumeSource datasetName? datasetUUID?
core.GCEPersistentDiskVolumeSource fsType? partition? readOnly?
core.GitRepoVolumeSource revision? directory?
core.GlusterfsPersistentVolumeSource readOnly?
core.GlusterfsVolumeSource readOnly?
core.HTTPGetAction path? host? scheme? httpHeaders?
core.HostAlias hostnames?
core.ISCSIPersistentVolumeSource iscsiInterface? fsType? readOnly? portals? chapAuthDiscovery? chapAuthSession? secretRef:core.SecretReference
core.ISCSIVolumeSource iscsiInterface? fsType? readOnly? portals? chapAuthDiscovery? chapAuthSession? secretRef:core.LocalObjectReference
core.ImageVolumeSource reference? pullPolicy?
core.Lifecycle postStart:core.LifecycleHandler preStop:core.LifecycleHandler
core.LifecycleHandler exec:core.ExecAction httpGet:core.HTTPGetAction tcpSocket:core.TCPSocketAction
core.LimitRangeItem max? min? default? defaultRequest? maxLimitRequestRatio?
core.LimitRangeSpec limits!:core.LimitRangeItem*
core.LocalObjectReference name?
core.ModifyVolumeStatus targetVolumeAttributesClassName?
core.NFSVolumeSource readOnly?
core.NamespaceSpec finalizers?
core.NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:core.NodeSelector preferredDuringSchedulingIgnoredDuringExecution?:core.PreferredSchedulingTerm*
core.NodeConfigSource configMap:core.ConfigMapNodeConfigSource
core.NodeSelector nodeSelectorTerms!:core.NodeSelectorTerm*
core.NodeSelectorRequirement values?
core.NodeSelectorTerm matchExpressions?:core.NodeSelectorRequirement* matchFields?:core.NodeSelectorRequirement*
core.NodeSpec podCIDR? podCIDRs? providerID? unschedulable? taints?:core.Taint* configSource:core.NodeConfigSource externalID?
core.ObjectFieldSelector apiVersion?
core.ObjectReference kind? namespace? name? uid? apiVersion? resourceVersion? fieldPath?
core.PersistentVolumeClaim metadata:meta.ObjectMeta spec:core.PersistentVolumeClaimSpec status:core.PersistentVolumeClaimStatus
core.PersistentVolumeClaimCondition reason? message?
core.PersistentVolumeClaimSpec accessModes? selector:meta.LabelSelector resources:core.VolumeResourceRequirements volumeName?
core.PersistentVolumeClaimStatus phase? accessModes? capacity? conditions?:core.PersistentVolumeClaimCondition* allocatedResources? allocatedResourceStatuses? modifyVolumeStatus:core.ModifyVolumeStatus
core.PersistentVolumeClaimTemplate metadata:meta.ObjectMeta spec:core.PersistentVolumeClaimSpec
core.PersistentVolumeClaimVolumeSource readOnly?
core.PersistentVolumeSpec capacity? gcePersistentDisk:core.GCEPersistentDiskVolumeSource awsElasticBlockStore:core.AWSElasticBlockStoreVolumeSource glusterfs:core.GlusterfsPersistentVolumeSource nfs:core.NFSVolumeSource rbd:core.RBDPersistentVolumeSource iscsi:core.ISCSIPersistentVolumeSource cinder:core.CinderPersistentVolumeSource cephfs:core.CephFSPersistentVolumeSource fc:core.FCVolumeSource flocker:core.FlockerVolumeSource flexVolume:core.FlexPersistentVolumeSource azureFile:core.AzureFilePersistentVolumeSource vsphereVolume:core.VsphereVirtualDiskVolumeSource quobyte:core.QuobyteVolumeSource photonPersistentDisk:core.PhotonPersistentDiskVolumeSource portworxVolume:core.PortworxVolumeSource scaleIO:core.ScaleIOPersistentVolumeSource storageos:core.StorageOSPersistentVolumeSource csi:core.CSIPersistentVolumeSource accessModes? claimRef:core.ObjectReference persistentVolumeReclaimPolicy? storageClassName? mountOptions? nodeAffinity:core.VolumeNodeAffinity
core.PhotonPersistentDiskVolumeSource fsType?
core.PodAffinity requiredDuringSchedulingIgnoredDuringExecution?:core.PodAffinityTerm* preferredDuringSchedulingIgnoredDuringExecution?:core.WeightedPodAffinityTerm*
core.PodAffinityTerm labelSelector:meta.LabelSelector namespaces? namespaceSelector:meta.LabelSelector matchLabelKeys? mismatchLabelKeys?
core.PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution?:core.PodAffinityTerm* preferredDuringSchedulingIgnoredDuringExecution?:core.WeightedPodAffinityTerm*
core.PodCertificateProjection signerName? keyType? credentialBundlePath? keyPath? certificateChainPath? userAnnotations?
core.PodDNSConfig nameservers? searches? options?:core.PodDNSConfigOption*
core.PodDNSConfigOption name?
core.PodSecurityContext seLinuxOptions:core.SELinuxOptions supplementalGroups? sysctls?
core.PodSpec volumes?:core.Volume* initContainers?:core.Container* containers!:core.Container* ephemeralContainers?:core.EphemeralContainer* restartPolicy? dnsPolicy? nodeSelector? serviceAccountName? serviceAccount? nodeName? hostNetwork? hostPID? hostIPC? securityContext:core.PodSecurityContext imagePullSecrets?:core.LocalObjectReference* hostname? subdomain? affinity:core.Affinity schedulerName? tolerations?:core.Toleration* hostAliases?:core.HostAlias* priorityClassName? dnsConfig:core.PodDNSConfig readinessGates? overhead? topologySpreadConstraints?:core.TopologySpreadConstraint* schedulingGates? resourceClaims? resources:core.ResourceRequirements
core.PodTemplateSpec metadata:meta.ObjectMeta spec:core.PodSpec
core.PortworxVolumeSource fsType? readOnly?
core.PreferredSchedulingTerm preference:core.NodeSelectorTerm
core.Probe exec:core.ExecAction httpGet:core.HTTPGetAction tcpSocket:core.TCPSocketAction initialDelaySeconds? timeoutSeconds? periodSeconds? successThreshold? failureThreshold?
core.ProjectedVolumeSource sources!:core.VolumeProjection*
core.QuobyteVolumeSource readOnly? user? group? tenant?
core.RBDPersistentVolumeSource monitors! fsType? pool? user? keyring? secretRef:core.SecretReference readOnly?
core.RBDVolumeSource monitors! fsType? pool? user? keyring? secretRef:core.LocalObjectReference readOnly?
core.ReplicationControllerSpec minReadySeconds? selector? template:core.PodTemplateSpec
core.ResourceClaim request?
core.ResourceFieldSelector containerName?
core.ResourceQuotaSpec hard? scopes? scopeSelector:core.ScopeSelector
core.ResourceRequirements limits? requests? claims?:core.ResourceClaim*
core.SELinuxOptions user? role? type? level?
core.ScaleIOPersistentVolumeSource secretRef:core.SecretReference sslEnabled? protectionDomain? storagePool? storageMode? volumeName? fsType? readOnly?
core.ScaleIOVolumeSource secretRef:core.LocalObjectReference sslEnabled? protectionDomain? storagePool? storageMode? volumeName? fsType? readOnly?
core.ScopeSelector matchExpressions?:core.ScopedResourceSelectorRequirement*
core.ScopedResourceSelectorRequirement values?
core.SecretEnvSource name?
core.SecretKeySelector name?
core.SecretProjection name? items?
core.SecretReference name? namespace?
core.SecretVolumeSource secretName? items?
core.SecurityContext capabilities:core.Capabilities seLinuxOptions:core.SELinuxOptions
core.ServiceAccountTokenProjection audience?
core.ServicePort name? protocol? nodePort?
core.ServiceSpec ports?:core.ServicePort* selector? clusterIP? clusterIPs? type? externalIPs? sessionAffinity? loadBalancerIP? loadBalancerSourceRanges? externalName? externalTrafficPolicy? healthCheckNodePort? publishNotReadyAddresses? ipFamilies?
core.StorageOSPersistentVolumeSource volumeName? volumeNamespace? fsType? readOnly? secretRef:core.ObjectReference
core.StorageOSVolumeSource volumeName? volumeNamespace? fsType? readOnly? secretRef:core.LocalObjectReference
core.TCPSocketAction host?
core.Taint value?
core.Toleration key? operator? value? effect?
core.TopologySelectorLabelRequirement values!
core.TopologySelectorTerm matchLabelExpressions?:core.TopologySelectorLabelRequirement*
core.TopologySpreadConstraint labelSelector:meta.LabelSelector matchLabelKeys?
core.Volume emptyDir:core.EmptyDirVolumeSource gcePersistentDisk:core.GCEPersistentDiskVolumeSource awsElasticBlockStore:core.AWSElasticBlockStoreVolumeSource gitRepo:core.GitRepoVolumeSource secret:core.SecretVolumeSource nfs:core.NFSVolumeSource iscsi:core.ISCSIVolumeSource glusterfs:core.GlusterfsVolumeSource persistentVolumeClaim:core.PersistentVolumeClaimVolumeSource rbd:core.RBDVolumeSource flexVolume:core.FlexVolumeSource cinder:core.CinderVolumeSource cephfs:core.CephFSVolumeSource flocker:core.FlockerVolumeSource downwardAPI:core.DownwardAPIVolumeSource fc:core.FCVolumeSource azureFile:core.AzureFileVolumeSource configMap:core.ConfigMapVolumeSource vsphereVolume:core.VsphereVirtualDiskVolumeSource quobyte:core.QuobyteVolumeSource photonPersistentDisk:core.PhotonPersistentDiskVolumeSource projected:core.ProjectedVolumeSource portworxVolume:core.PortworxVolumeSource scaleIO:core.ScaleIOVolumeSource storageos:core.StorageOSVolumeSource csi:core.CSIVolumeSource ephemeral:core.EphemeralVolumeSource image:core.ImageVolumeSource
core.VolumeMount readOnly? subPath? subPathExpr?
core.VolumeNodeAffinity required:core.NodeSelector
core.VolumeProjection secret:core.SecretProjection downwardAPI:core.DownwardAPIProjection configMap:core.ConfigMapProjection serviceAccountToken:core.ServiceAccountTokenProjection clusterTrustBundle:core.ClusterTrustBundleProjection podCertificate:core.PodCertificateProjection
core.VolumeResourceRequirements limits? requests?
core.VsphereVirtualDiskVolumeSource fsType? storagePolicyName? storagePolicyID?
core.WeightedPodAffinityTerm podAffinityTerm:core.PodAffinityTerm
discovery.Endpoint addresses! targetRef:core.ObjectReference deprecatedTopology? hints:discovery.EndpointHints
discovery.EndpointHints forZones? forNodes?
flowcontrol.FlowSchemaSpec rules?:flowcontrol.PolicyRulesWithSubjects*
flowcontrol.NonResourcePolicyRule verbs! nonResourceURLs!
flowcontrol.PolicyRulesWithSubjects subjects! resourceRules?:flowcontrol.ResourcePolicyRule* nonResourceRules?:flowcontrol.NonResourcePolicyRule*
flowcontrol.ResourcePolicyRule verbs! apiGroups! resources! clusterScope? namespaces!
meta.LabelSelector matchLabels? matchExpressions?:meta.LabelSelectorRequirement*
meta.LabelSelectorRequirement values?
meta.ManagedFieldsEntry manager? operation? apiVersion? fieldsType? subresource?
meta.ObjectMeta name? generateName? namespace? selfLink? uid? resourceVersion? generation? labels? annotations? ownerReferences? finalizers? managedFields?:meta.ManagedFieldsEntry*
networking.HTTPIngressPath path? backend:networking.IngressBackend
networking.HTTPIngressRuleValue paths!:networking.HTTPIngressPath*
networking.IPAddressSpec parentRef:networking.ParentReference
networking.IPBlock except?
networking.IngressBackend service:networking.IngressServiceBackend
networking.IngressClassSpec controller?
networking.IngressRule host? http:networking.HTTPIngressRuleValue
networking.IngressServiceBackend port:networking.ServiceBackendPort
networking.IngressSpec defaultBackend:networking.IngressBackend tls?:networking.IngressTLS* rules?:networking.IngressRule*
networking.IngressTLS hosts? secretName?
networking.NetworkPolicyEgressRule ports? to?:networking.NetworkPolicyPeer*
networking.NetworkPolicyIngressRule ports? from?:networking.NetworkPolicyPeer*
networking.NetworkPolicyPeer podSelector:meta.LabelSelector namespaceSelector:meta.LabelSelector ipBlock:networking.IPBlock
networking.NetworkPolicySpec podSelector:meta.LabelSelector ingress?:networking.NetworkPolicyIngressRule* egress?:networking.NetworkPolicyEgressRule* policyTypes?
networking.ParentReference group? resource? namespace? name?
networking.ServiceBackendPort name? number?
networking.ServiceCIDRSpec cidrs?
node.Overhead podFixed?
node.Scheduling nodeSelector? tolerations?:core.Toleration*
policy.PodDisruptionBudgetSpec selector:meta.LabelSelector
rbac.AggregationRule clusterRoleSelectors?:meta.LabelSelector*
rbac.PolicyRule verbs! apiGroups? resources? resourceNames? nonResourceURLs?
rbac.Subject apiGroup? namespace?
resource.CapacityRequestPolicy validValues?
resource.CapacityRequirements requests?
resource.CounterSet counters?
resource.Device attributes?:resource.DeviceAttribute* capacity?:resource.DeviceCapacity* consumesCounters?:resource.DeviceCounterConsumption* nodeSelector:core.NodeSelector taints?:resource.DeviceTaint* bindingConditions? bindingFailureConditions? nodeAllocatableResourceMappings?
resource.DeviceAttribute ints? bools? strings? versions?
resource.DeviceCapacity requestPolicy:resource.CapacityRequestPolicy
resource.DeviceClaim requests!:resource.DeviceRequest* constraints?:resource.DeviceConstraint* config?:resource.DeviceClaimConfiguration*
resource.DeviceClaimConfiguration requests?
resource.DeviceClassSpec selectors? config?
resource.DeviceConstraint requests?
resource.DeviceCounterConsumption counters?
resource.DeviceRequest exactly:resource.ExactDeviceRequest firstAvailable?:resource.DeviceSubRequest*
resource.DeviceSubRequest selectors? allocationMode? count? tolerations?:resource.DeviceToleration* capacity:resource.CapacityRequirements
resource.DeviceTaint value?
resource.DeviceToleration key? operator? value? effect?
resource.ExactDeviceRequest selectors? allocationMode? count? tolerations?:resource.DeviceToleration* capacity:resource.CapacityRequirements
resource.ResourceClaimSpec devices:resource.DeviceClaim
resource.ResourceClaimTemplateSpec metadata:meta.ObjectMeta spec:resource.ResourceClaimSpec
resource.ResourceSliceSpec nodeSelector:core.NodeSelector devices?:resource.Device* sharedCounters?:resource.CounterSet*
resource/v1beta2.DeviceTaint value?
resource/v1beta2.DeviceTaintRuleSpec taint:resource/v1beta2.DeviceTaint
scheduling/v1alpha2.PodGroupSchedulingConstraints topology?
scheduling/v1alpha2.PodGroupSpec schedulingConstraints:scheduling/v1alpha2.PodGroupSchedulingConstraints resourceClaims? priorityClassName?
scheduling/v1alpha2.PodGroupTemplate schedulingConstraints:scheduling/v1alpha2.PodGroupSchedulingConstraints resourceClaims? priorityClassName?
scheduling/v1alpha2.TypedLocalObjectReference apiGroup?
scheduling/v1alpha2.WorkloadSpec controllerRef:scheduling/v1alpha2.TypedLocalObjectReference podGroupTemplates!:scheduling/v1alpha2.PodGroupTemplate*
storage.CSIDriverSpec volumeLifecycleModes? tokenRequests?
storage.CSINodeDriver topologyKeys!
storage.CSINodeSpec drivers!:storage.CSINodeDriver*
storage.VolumeAttachmentSource inlineVolumeSpec:core.PersistentVolumeSpec
storage.VolumeAttachmentSpec source:storage.VolumeAttachmentSource
`;
